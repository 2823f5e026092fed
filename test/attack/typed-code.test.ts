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
  ])('while this starts: %s', async (command) => {
    expect(await decisionOn(command)).not.toBe('ask')
  })

  it('while an agent that cannot type into it may start a shell', async () => {
    expect(await decisionOn('bash -i', 'claude-code')).toBe('abstain')
  })
})
