import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import { claudeShell } from '../support/wire.ts'

const home = '/home/someone'
const root = join(home, 'proj')
const folder = mkdtempSync(join(tmpdir(), 'hookgate-typed-code-'))
writeFileSync(join(folder, 'hooks.json'), JSON.stringify({ preset: 'recommended' }))
const gate = createGate({
  placement: 'caller',
  rules: [join(folder, 'hooks.json')],
  discover: false,
  home,
  env: { HOME: home },
})
afterAll(async () => {
  await gate.close()
  rmSync(folder, { recursive: true })
})

const decisionOn = async (command: string, agent: 'codex' | 'claude-code' = 'codex') => {
  const wire = claudeShell(command, root, agent === 'codex' ? { turn_id: 't', model: 'm' } : {})
  return (await gate.decide(await gate.decode(wire, { agent }))).decision
}

describe('no program is started in Codex for what its model would type into it unseen', () => {
  it.each([
    'sh',
    'bash -l',
    'exec zsh',
    'env -i bash',
    'sh -s',
    'bash /dev/stdin',
    'bash < /dev/tty',
    'true; bash --rcfile x',
    'python3',
    'python3.12 -q',
    'python3 -X dev -',
    'node --experimental-repl-await',
    'ghci',
    'psql "$DATABASE_URL"',
    'sqlite3 data.db',
    'mysql -u root shop',
    'ssh build.example',
    'script /dev/null',
    'docker exec -it web sh',
    'kubectl exec -it pod -- python3',
    'timeout 60 bash',
    'irb --simple-prompt',
    'pry',
    'redis-cli -h cache -p 6379',
    'valkey-cli -u redis://x',
    'gdb ./app',
    'tmux',
    'tmux -L s new-session',
    'screen -S x',
    'source /dev/stdin',
    '. /dev/fd/0',
    'python3 -qi x.py',
    'docker run --rm -ti ubuntu',
    'docker run --interactive --tty x',
    'docker attach web',
    'kubectl run -it x --image=alpine',
    'kubectl debug -it pod --image=busybox',
    'mongosh mongodb://x/shop',
    'sqlplus a/b@db',
    'sqlcmd -S host',
    'clickhouse-client --host x',
    'octave',
    'rails console',
    'bin/rails c',
    'bundle exec rails console',
    'python manage.py shell',
    'php artisan tinker',
    'poetry shell',
    'bun repl',
    'nix-shell',
    'nix develop',
    'vagrant ssh',
    'gcloud compute ssh x',
    'fly ssh console',
    'zellij',
    'sftp host',
  ])('%s', async (command) => {
    expect(await decisionOn(command)).toBe('ask')
  })

  it.each([
    'bash -c "npm test"',
    'bash build.sh',
    'python3 build.py --input x',
    'python3 -m http.server',
    "python3 - <<'E'\nprint(1)\nE",
    'echo "print(1)" | python3',
    'node -p 1',
    'npm run dev',
    'psql -c "select 1"',
    'sqlite3 data.db "select 1"',
    'sqlite3 data.db < schema.sql',
    'docker exec -i web sh < setup.sh',
    'ssh build.example uptime',
    'irb x.rb',
    'redis-cli -h cache get a',
    'redis-cli --scan',
    'gdb -batch -ex run ./app',
    'gdb --version',
    'tmux ls',
    "tmux new -d -s x 'npm run dev'",
    'tmux capture-pane -p',
    'screen -dmS x npm run dev',
    'source .venv/bin/activate',
    'python -m pip install -i https://pypi.org/simple x',
    'python3 x.py -i',
    'docker run --rm -it node npm test',
    'docker run -d nginx',
    'docker compose up',
    "mongosh --eval 'db.x.find()'",
    'sqlplus a/b @x.sql',
    "sqlcmd -Q 'select 1'",
    "clickhouse-client --query='select 1'",
    'cockroach start',
    'clickhouse server',
    'octave x.m',
    'rails server',
    'python manage.py migrate',
    'git checkout console',
    'npm install repl',
    'grep -r shell',
    'cd console',
    'nix develop -c make',
    'nix build',
    'vagrant ssh -c uptime',
    'gcloud compute ssh x --command=uptime',
    'kubectl exec -it pod -- ls',
    'sftp host:/x /y',
    'poetry run pytest',
  ])('while this starts: %s', async (command) => {
    expect(await decisionOn(command)).not.toBe('ask')
  })

  it('while an agent that cannot type into it may start a shell', async () => {
    expect(await decisionOn('bash -i', 'claude-code')).toBe('abstain')
  })
})
