import { type Kind, testPairs } from '../support/everyday-pairs.ts'

const kinds: readonly Kind[] = [
  {
    kind: 'volumes of a compose file for tests',
    rule: 'containers',
    pairs: [
      ['docker compose -f docker-compose.test.yml down -v', 'docker compose -f compose.latest.yml down -v'],
      ['docker compose -f compose.ci.yaml down --volumes --remove-orphans', 'docker compose down -v'],
      ['docker-compose -f tests/docker-compose.yml down -v', 'docker-compose -f docker-compose.prod.yml down -v'],
      ['podman-compose -f e2e/compose.yml down -v', 'podman-compose -f compose.yml down -v'],
      [
        'docker compose --file ./docker/compose.integration.yml down -v',
        'docker compose -f compose.yml -f compose.test.yml down -v',
      ],
      ['docker compose -f a.test.yml -f b.test.yml down -v', 'docker compose -f a.test.yml -f tests/prod.yml down -v'],
    ],
  },
  {
    kind: 'a token that a server of this machine has given',
    rule: 'print-secrets',
    pairs: [
      [
        'TOKEN=$(curl -s localhost:3000/login -d a=b | jq -r .token); echo $TOKEN',
        'TOKEN=$(curl -s https://a.example/login -d a=b | jq -r .token); echo $TOKEN',
      ],
      [
        'APP_TOKEN=$(curl -s http://127.0.0.1:8000/t); echo "${APP_TOKEN:0:20}"',
        'APP_TOKEN=$(curl -s http://127.0.0.1.a.example/t); echo "${APP_TOKEN:0:20}"',
      ],
      [
        "API_TOKEN=$(curl -s http://app.localhost/t | sed 's/a/b/'); printf '%s\\n' $API_TOKEN",
        'API_TOKEN=$(gh auth token); echo $API_TOKEN',
      ],
      [
        'JWT=$(xh :4000/t | jq -r .a); JWT=$(http GET localhost:4000/t); echo $JWT',
        'JWT=$(curl -s localhost:4000/t); JWT=$(curl -s https://a.example); echo $JWT',
      ],
      ['A_TOKEN=$(wget -qO- http://[::1]:80/t); echo $A_TOKEN', 'curl -s localhost:3000/a; echo $GITHUB_TOKEN'],
    ],
  },
  {
    kind: 'harmless variables of a container',
    rule: 'print-secrets',
    pairs: [
      ['docker exec app env | grep NODE_ENV', 'docker exec app env | grep -i key'],
      ["docker compose exec web env | grep -E 'PORT|NODE_ENV'", "docker exec web env | grep -E 'PORT|TOKEN'"],
      ['kubectl exec deploy/web -- env | grep LOG_LEVEL', 'kubectl exec deploy/web -- env | grep DATABASE_URL'],
      ["docker exec app sh -c 'env | grep HOST'", "docker exec app sh -c 'env | grep .'"],
      ['podman exec app env | grep ^PATH=', 'podman exec app env | grep -v ^PATH='],
      ["docker inspect app --format '{{.Config.Env}}' | grep -i port", "docker inspect app --format '{{.Config.Env}}'"],
    ],
  },
  {
    kind: 'a query of Convex',
    rule: 'data-platforms',
    pairs: [
      ['npx convex run messages:list', 'npx convex run messages:clear'],
      ['npx convex run users:getById \'{"id":"a"}\'', 'npx convex run users:getAndDelete'],
      ['bunx convex run internal.tasks.count', 'bunx convex run internal.tasks.reset'],
      ['pnpm convex run a/b:searchText', 'pnpm convex run a/b:listing'],
      ['npx convex run tasks:get', 'npx convex run "$1"'],
    ],
  },
  {
    kind: "frameworks' public variables",
    rule: 'env-files',
    pairs: [
      ['grep NEXT_PUBLIC_ .env.local', 'grep NEXT .env.local'],
      ["grep '^VITE_' .env", "grep -v '^VITE_' .env"],
      ["grep -E '^(NEXT_PUBLIC|VITE)_' .env.local", "grep -E '^(NEXT_PUBLIC|SECRET)_' .env.local"],
      ['rg -n EXPO_PUBLIC_API .env.local', 'rg -n -C 3 EXPO_PUBLIC_API .env.local'],
      ['cat .env | grep ^REACT_APP_', 'cat .env | grep -A 2 ^REACT_APP_'],
    ],
  },
  {
    kind: 'SQL that code looks for',
    rule: 'inline-code',
    pairs: [
      [
        "python3 -c \"import subprocess\nfor l in open('a'):\n  if 'drop table' in l: print(l)\"",
        "python3 -c \"import subprocess\nsubprocess.run(['psql', '-c', 'drop table a'])\"",
      ],
      [
        "node -e \"require('child_process'); for (const l of t) if (l.includes('DELETE FROM a')) console.log(l)\"",
        'node -e "const db = connect(); db.query(\'DELETE FROM a\')"',
      ],
    ],
  },
  {
    kind: 'a script that a linter, a formatter or a clipboard reads',
    rule: 'home-deletion',
    pairs: [
      ["echo 'rm -rf ~' | shellcheck -", "echo 'rm -rf ~' | sh -"],
      ["shellcheck - <<'E'\nrm -rf ~\nE", "bash -s <<'E'\nrm -rf ~\nE"],
      ["printf 'rm -rf ~\\n' | shfmt -d", "printf 'rm -rf ~\\n' | dash"],
      ["echo 'rm -rf ~' | bash -n", "echo 'rm -rf ~' | bash -n +n"],
      ["echo 'rm -rf ~' | zsh -o noexec", "echo 'rm -rf ~' | zsh -o nounset"],
      ["printf 'FROM a\\nRUN rm -rf ~\\n' | hadolint -", "printf 'rm -rf ~\\n' | xargs -I{} sh -c '{}'"],
      ["echo 'rm -rf ~' | xclip -selection clipboard", "echo 'rm -rf ~' | xargs -0 sh -c"],
      ["echo 'rm -rf ~' | pbcopy", "echo 'rm -rf ~' | ssh localhost sh; pbpaste | sh; rm -rf ~"],
      ["echo 'rm -rf ~' | checkbashisms -", "echo 'rm -rf ~' | tee a.sh | bash"],
      ["echo 'rm -rf ~' | nvim -R -", "nvim -es -c '!rm -rf ~' -c q"],
      [
        'echo \'import os; os.system("rm -rf ~")\' | python3 -m py_compile -',
        'echo \'import os; os.system("rm -rf ~")\' | python3 -',
      ],
    ],
  },
  {
    kind: 'a disk that is only looked at',
    rule: 'device-overwrite',
    pairs: [
      ['tune2fs -l /dev/sda1', 'tune2fs -l -U random /dev/sda1'],
      ['resize2fs -P /dev/sda1', 'resize2fs /dev/sda1 10G'],
      ['e2label /dev/sda1', 'e2label /dev/sda1 data'],
      ['ntfsresize --info /dev/sdb1', 'ntfsresize -s 10G /dev/sdb1'],
      ['e2fsck -n /dev/sda1', 'e2fsck -y /dev/sda1'],
      ['swaplabel /dev/sdb2', 'swaplabel -L swap /dev/sdb2'],
    ],
  },
  {
    kind: 'a disk on which nothing would be written',
    rule: 'system-files',
    pairs: [
      ['sgdisk --pretend -n 1:0:0 /dev/sda', 'sgdisk -n 1:0:0 /dev/sda'],
      ["debugfs -R 'stat /a' /dev/sda1", "debugfs -w -R 'rm /a' /dev/sda1"],
      ['mkfs.ext4 -n /dev/sdb1', 'mkfs.vfat -n DATA /dev/sdb1'],
    ],
  },
  {
    kind: 'a database of an agent that is only read',
    rule: 'agent-configuration',
    pairs: [
      [
        "sqlite3 ~/.cursor/chats/a/b/store.db 'SELECT * FROM meta'",
        "sqlite3 ~/.cursor/chats/a/b/store.db 'DELETE FROM meta WHERE key = 1'",
      ],
      [
        "sqlite3 -json ~/.codex/state_5.sqlite 'SELECT id, length(data) FROM blobs LIMIT 3'",
        "sqlite3 ~/.codex/state_5.sqlite 'SELECT 1; UPDATE a SET b = 1 WHERE c = 2'",
      ],
      ['sqlite3 ~/.cursor/chats/a/b/store.db .tables', "sqlite3 ~/.cursor/chats/a/b/store.db '.import a.csv blobs'"],
      [
        "sqlite3 ~/.cursor/chats/a/b/store.db 'PRAGMA table_info(blobs)'",
        "sqlite3 ~/.cursor/chats/a/b/store.db 'PRAGMA user_version = 3'",
      ],
      [
        "sqlite3 ~/.cursor/chats/a/b/store.db <<'E'\nSELECT 1;\nE",
        "sqlite3 ~/.cursor/chats/a/b/store.db <<'E'\nINSERT INTO blobs VALUES (1);\nE",
      ],
      [
        "sqlite3 'file:/home/u/.codex/state_5.sqlite?mode=ro' 'SELECT 1'",
        "sqlite3 'file:/home/u/.codex/state_5.sqlite?mode=rw' 'VACUUM'",
      ],
      [
        'for d in ~/.cursor/chats/*/*/store.db; do sqlite3 "$d" \'SELECT count(*) FROM blobs\'; done',
        'sqlite3 ~/.cursor/chats/a/b/store.db < a.sql',
      ],
      [
        'sqlite3 ~/.claude/__store.db "SELECT a FROM b WHERE c LIKE \'%delete%\'"',
        'sqlite3 ~/.claude/__store.db "WITH a AS (SELECT 1) INSERT INTO b SELECT * FROM a"',
      ],
    ],
  },
  {
    kind: 'a program or value that is known well enough',
    rule: 'unknown-code',
    pairs: [
      [
        "python3 -c \"import subprocess, sys; subprocess.run([sys.executable, '-m', 'pytest', '-q'])\"",
        'python3 -c "import subprocess, sys; subprocess.run([sys.argv[1], \'-q\'])"',
      ],
      [
        'python3 -c "import subprocess, sys; subprocess.check_call([sys.executable, \'script.py\'])"',
        'python3 -c "import subprocess, sys; subprocess.run(open(\'a\').read(), shell=True)"',
      ],
      [
        "node -e \"require('child_process').execFileSync(process.execPath, ['--version'])\"",
        "node -e \"require('child_process').execFileSync(process.env.TOOL, ['--version'])\"",
      ],
      [
        "node -e \"const {spawnSync} = require('child_process'); spawnSync(process.execPath, ['scripts/a.js'])\"",
        'node -e "const {execSync} = require(\'child_process\'); execSync(process.env.CMD)"',
      ],
      ['sqlite3 app.db "SELECT * FROM users WHERE id = $ID"', 'sqlite3 app.db "$SQL"'],
      ['ID=$(cat id.txt); sqlite3 app.db "SELECT * FROM users WHERE id = \'$ID\'"', 'sqlite3 app.db "SELECT 1; $MORE"'],
      ['psql -c "SELECT * FROM orders WHERE id = $(cat id)"', 'psql -c "$(cat id)"'],
      ['mysql -e "SELECT * FROM t WHERE id=$ID"', 'mysql -e "SELECT * FROM t WHERE id=$ID INTO OUTFILE \'/tmp/a\'"'],
      [
        'for t in $(sqlite3 app.db .tables); do sqlite3 app.db "SELECT count(*) FROM $t"; done',
        'psql -c "SELECT $A \\! $B"',
      ],
      ["tmux send-keys -t a '(' Enter", 'tmux send-keys -t a "$CMD" Enter'],
      ['tmux send-keys -t a "it\'s" Enter', 'tmux send-keys -t a \'eval "$X"\' Enter'],
      ['tmux send-keys -t a "print(\'hi\')" Enter', 'tmux send-keys -t a "$(cat keys)" Enter'],
      ["screen -S a -X stuff $'\\003'", 'screen -S a -X stuff "$KEYS"'],
    ],
  },
  {
    kind: 'a script of one’s own that is ended by its name',
    rule: 'mass-kill',
    pairs: [
      ['pkill -f server.py', 'pkill -f python'],
      ['pkill -9 -f scripts/worker.sh', 'pkill -9 -f worker'],
      ["pkill -f 'python.*app.py'", "pkill -f 'python.*'"],
      ['pkill -f /home/u/proj/target/debug/app', 'pkill -f /usr/bin/app'],
      ['pkill -f manage.py || true', 'pkill -f .py || true'],
      ["pkill -f 'node dist/server.js'", "pkill -f 'bash -c'"],
      ['pkill -f dist/cli.mjs', 'pkill -f /'],
      ["pkill -f 'target/debug/l[a]b'", "pkill -f '[p]ython'"],
      ["pkill -f '[n]ode dist/server.js'", "pkill -f '[a-z]ode dist/server.js'"],
    ],
  },
  {
    kind: 'data that code decodes and shows',
    rule: 'run-decoded',
    pairs: [
      [
        'python3 -c "import base64, json; print(json.loads(base64.b64decode(\'e30=\')))"',
        'python3 -c "import base64, pickle; pickle.loads(base64.b64decode(\'e30=\'))"',
      ],
      [
        "python3 -c \"a = bytes.fromhex('00ff'); assert a == bytes.fromhex('00ff'); print(a)\"",
        'python3 -c "exec(bytes.fromhex(\'7072696e742831 29\'))"',
      ],
      [
        "node -e \"const m = /x(.*)/.exec(Buffer.from('eA==', 'base64').toString()); console.log(m)\"",
        "node -e \"eval(Buffer.from('YQ==', 'base64').toString())\"",
      ],
      ['node -e \'console.log(`${Buffer.from("6869", "hex")}`)\'', 'node -e \'Function(atob("YQ=="))()\''],
      [
        "node -e \"require('assert')(Buffer.from('6869', 'hex').length === 2)\"",
        'php -r "assert(base64_decode(\'cGhwaW5mbygp\'));"',
      ],
      [
        "python3 -c \"import re, base64; print(re.compile(rb'a').search(base64.b64decode('YWJj')))\"",
        'python3 -c "import os, base64; os.system(base64.b64decode(\'bHM=\').decode())"',
      ],
      ['ruby -rbase64 -e \'puts Base64.decode64("aGk=")\'', 'ruby -rbase64 -e \'`#{Base64.decode64("bHM=")}`\''],
    ],
  },
  {
    kind: 'a folder of output',
    rule: 'workspace-deletion',
    pairs: [
      ['rm -rf .vercel', 'rm -rf .github'],
      ['rm -rf results', 'rm -rf data'],
      ['rm -rf model_extracted', 'rm -rf models'],
      ['rm -rf outputs/run1', 'rm -rf inputs/run1'],
      ['rm -rf test-results playwright-report', 'rm -rf tests'],
      ['rm -rf .serverless cdk.out', 'rm -rf cdk'],
      [
        'rm -rf extracted && mkdir extracted && tar xf a.tgz -C extracted',
        'rm -rf src && mkdir src && tar xf a.tgz -C src',
      ],
    ],
  },
  {
    kind: 'containers that are ended without their data',
    rule: 'containers',
    pairs: [
      ['docker compose down --remove-orphans', 'docker compose down --volumes --remove-orphans'],
      ['docker-compose down --remove-orphans --timeout 5', 'docker-compose down -v --timeout 5'],
      ['podman compose down --remove-orphans', 'podman compose down -v'],
      ['docker compose -f test.yml down --rmi local', 'docker compose -f test.yml down --rmi all'],
      ['docker compose up -d --remove-orphans', 'docker compose rm -fv'],
    ],
  },
  {
    kind: 'a test whether a file of variables is there',
    rule: 'env-files',
    pairs: [
      ['pwsh -c "Test-Path .env"', 'pwsh -c "if (Test-Path .env) { Get-Content .env }"'],
      ['test -s .env && echo filled', 'test -s .env && cat .env'],
      ['[ -f .env ] || cp .env.example .env', '[ -f .env ] && head .env'],
      ['python3 -c "import os; print(os.path.exists(\'.env\'))"', 'python3 -c "print(open(\'.env\').read())"'],
      [
        "node -e \"console.log(require('fs').existsSync('.env'))\"",
        "node -e \"console.log(require('fs').readFileSync('.env', 'utf8'))\"",
      ],
      ['npx vitest run tests/env.test.ts -t "loads .env"', 'node show.js .env'],
    ],
  },
  {
    kind: 'files that are made again, found by their names',
    rule: 'workspace-deletion',
    pairs: [
      ["find . -name '*.pyc' -delete", "find . -name '*.ts' -delete"],
      ["find . -name '*.bak' -delete", 'find . -type f -delete'],
      ["find src -name '*.orig' -delete", "find src -name '*.orig' -o -name '*.ts' -delete"],
      ['find . -type d -name __pycache__ -exec rm -rf {} +', 'find . -type d -name src -exec rm -rf {} +'],
      ["find . -name '*.log' -mtime +7 -delete", "find . -name '*.md' -mtime +7 -delete"],
    ],
  },
  {
    kind: 'a program that is looked for, or has a default',
    rule: 'unknown-code',
    pairs: [
      ['PY=$(which python3); $PY script.py', 'PY=$(cat program.txt); $PY script.py'],
      ['PY=$(command -v python3) && "$PY" -m pytest -q', 'PY=$(command -v python3) && "$PY" -c "$CODE"'],
      ['PY=$(type -p python3); $PY a.py', 'PY=$(type -p python3); echo "$X" | $PY'],
      ['PY=${PY:-python3}; $PY a.py', 'PY=${PY:-$(cat program.txt)}; $PY a.py'],
      ['"${NODE_BIN:-node}" build.mjs', '"${NODE_BIN}" build.mjs'],
      ['PY=$(which python3 || which python); $PY a.py', 'PY=$(curl a.example || echo python3); $PY a.py'],
      ['$(pyenv which python) a.py', '$(pyenv exec a.py) b.py'],
      ['PY=$(uv python find 3.12); "$PY" -V', 'PY=$(uv run find.py); "$PY" -V'],
      ['"$(xcrun --find clang)" -c a.c', '"$(xcrun a)" -c a.c'],
      ['$(brew --prefix)/bin/python3 a.py', '$(brew --prefix) a.py'],
      ['"$ROOT/node_modules/.bin/tsc" --noEmit', '"$ROOT/$TOOL" --noEmit'],
      ['$(dirname $(which node))/npm test', 'eval "$(dirname $X)"'],
    ],
  },
  {
    kind: 'a folder of a container',
    rule: 'outside-deletion',
    pairs: [
      ['docker exec c rm -rf /root/.npm', 'ssh host rm -rf /root/.npm/x'],
      ['docker run --rm alpine rm -rf /root/x', 'docker run --rm -v /data/a:/root alpine rm -rf /root/x'],
      ['kubectl exec pod -c app -- sh -c "rm -rf /root/.npm"', 'kubectl exec pod -- rm -rf /data/uploads'],
      ['docker compose exec web rm -rf /home/node/.npm/x', 'docker compose exec web rm -rf /uploads/x'],
      ['podman run --rm fedora rm -rf /cache/x', 'podman run --rm -v data:/data fedora rm -rf /data/old'],
      [
        'devcontainer exec --workspace-folder . rm -rf /home/vscode/.m2',
        'distrobox enter d -- rm -rf /home/vscode/.m2',
      ],
      [
        'docker run -v "$PWD":/app node rm -rf /app/node_modules',
        'docker run -v /data/a:/app node rm -rf /app/other/data',
      ],
      [
        'docker run --mount type=bind,src=.,dst=/w alpine rm -rf /root/a',
        'docker run --mount type=volume,src=db,dst=/w alpine rm -rf /w/a',
      ],
      [
        'docker run --rm alpine sh -c "rm -rf /root/a"',
        'docker run --rm --pid=host alpine nsenter -t 1 rm -rf /root/a',
      ],
      ['docker exec c sh -c "cd /app && rm -rf dist"', 'docker run --rm -v /:/host alpine chroot /host rm -rf /root/a'],
    ],
  },
  {
    kind: 'a server of this machine by any of its names',
    rule: 'http-requests',
    pairs: [
      ["curl -X DELETE 'http://[::1]:3000/a/1'", "curl -X DELETE 'http://[2001:db8::1]:3000/a/1'"],
      ['http DELETE :8000/a/1', 'http DELETE example.com:8000/a/1'],
      ['xh delete :/a/1', 'xh delete a.example/a/1'],
      ['curl -X DELETE http://localhost.localdomain/a/1', 'curl -X DELETE http://localhost.example.com/a/1'],
      ['curl -X DELETE http://shop.localhost:3000/a/1', 'curl -X DELETE http://shop.local:3000/a/1'],
      ['wget --method=DELETE http://ip6-localhost/a/1', 'wget --method=DELETE http://ip6.example/a/1'],
      ['curl -X DELETE http://127.1/a/1', 'curl -X DELETE http://128.1/a/1'],
      ['curl -X DELETE http://host.docker.internal:3000/a/1', 'curl -X DELETE http://host.corp.internal:3000/a/1'],
    ],
  },
  {
    kind: 'code that changes nothing but what is of this machine',
    rule: 'inline-code',
    pairs: [
      [
        'python3 -c "import requests; requests.delete(\'http://[::1]:8000/a\')"',
        "python3 -c \"import requests; requests.delete('http://[::1]:8000/a'); requests.delete('https://a.example/a')\"",
      ],
      [
        "node -e \"fetch('http://app.localhost/a', { method: 'DELETE' })\"",
        "node -e \"fetch('http://app.local/a', { method: 'DELETE' })\"",
      ],
      [
        "node -e \"console.log(require('pgsql-ast-parser').parse('DELETE FROM a'))\"",
        "node -e \"require('pg').query(require('pgsql-ast-parser').toSql('DELETE FROM a'), 'DELETE FROM a')\"",
      ],
      [
        "node -e \"console.log(require('sql-formatter').format('DROP TABLE a'))\"",
        "node -e \"require('mysql2').createConnection('x').query('DROP TABLE a')\"",
      ],
    ],
  },
  {
    kind: 'a server that is ended by its name and started again',
    rule: 'mass-kill',
    pairs: [
      ['pkill -f uvicorn; uvicorn app:app --reload &', 'pkill -f uvicorn; pgrep -fa uvicorn'],
      ['pkill -f vite && npx vite --port 3000 &', 'pkill -f vite && echo vite'],
      ['pkill gunicorn; sleep 1; nohup gunicorn app:app &', 'pkill python; python app.py'],
      ['killall myserver; ./build/myserver --port 80 &', 'killall node; node server.js &'],
      ['pkill -x hugo || true; hugo server -D', 'pkill -u me hugo; hugo server -D'],
      ['pkill -f celery; python3 -m celery -A app worker', 'pkill -f postgres; python3 app.py'],
    ],
  },
  {
    kind: 'folders of output that PowerShell deletes by name',
    rule: 'windows-destruction',
    pairs: [
      [String.raw`Remove-Item .\bin, .\obj -Recurse -Force`, String.raw`Remove-Item .\bin, .\src -Recurse -Force`],
      ['Remove-Item -Recurse -Force node_modules,dist', 'Remove-Item -Recurse -Force *'],
      [String.raw`ri -Path .\web\dist -Recurse`, String.raw`ri -Path ..\web\dist -Recurse`],
      [
        'Get-ChildItem -Recurse -Include bin,obj | Remove-Item -Recurse -Force',
        'Get-ChildItem -Recurse | Remove-Item -Recurse -Force',
      ],
      [
        'gci -Recurse -Filter node_modules | ri -Recurse',
        String.raw`gci C:\ -Recurse -Filter node_modules | ri -Recurse`,
      ],
      ['rmdir /s /q node_modules', String.raw`rmdir /s /q ..\other`],
      ['Remove-Item dist -Recurse -ErrorAction SilentlyContinue', 'cd /srv; Remove-Item dist -Recurse'],
    ],
  },
]

testPairs(kinds)
