import { expect, it } from 'vitest'
import { gatePid, gatePort, protectedUser } from '../support/self-protection.ts'

// Programs that end or find processes, each way in which one chooses them, and each spelling of its options. `GATE` is the
// number of the gate's process, `PORT` its port. What is guarded follows from the programs' entries, so no row here has a rule of its own.

/** By the number of a process, or of all. */
const byNumber = [
  'kill -s KILL -- GATE',
  'kill -sKILL GATE',
  'kill --signal KILL GATE',
  'kill --signal=KILL GATE',
  'kill -n 9 GATE',
  'kill -KILL -GATE',
  'kill -sigkill GATE',
  'kill 4711 GATE',
  'kill -9 -- -1',
  '/bin/kill --timeout 1000 TERM --timeout 1000 KILL GATE',
  'busybox kill -9 GATE',
  'skill GATE',
  'skill -KILL -p GATE',
  'snice +19 -p GATE',
  'taskkill /pid GATE /f',
  'taskkill /f /pid:GATE',
  'taskkill -F -PID GATE',
  'taskkill /f /t /fi "PID eq GATE"',
  'taskkill /f /fi "PID gt 4"',
  'wmic process GATE delete',
  'wmic process where processid=GATE delete',
  'wmic process where "handle=\'GATE\'" call terminate',
  'pwsh -c "Stop-Process GATE"',
  'pwsh -c "Stop-Process -Id:GATE -Force"',
  'pwsh -c "Stop-Process -I 4711,GATE"',
  'pwsh -c "spps -Force -Id GATE"',
  'gdb -pGATE',
  'gdb --pid GATE',
  'strace -p4711,GATE',
  'strace --attach=GATE',
  'renice 19 4711 GATE',
  'renice --priority 19 --pid GATE',
  'prlimit -pGATE --cpu=1',
  'ionice -c 3 -p 4711 GATE',
  'perf record -p GATE',
]

/** By a name, or a pattern of names or of whole lines. */
const byName = [
  'killall -e node',
  'killall -9 -e node',
  'killall --exact --signal KILL node',
  'killall --sig KILL node',
  'killall node -s9',
  "killall --regexp 'no.*'",
  "killall --reg '^no'",
  "killall -qr '^no'",
  "killall -m '^no'",
  'killall -c node',
  'busybox killall node',
  'killall /usr/bin/node',
  'pkill -nf hookgate',
  'pkill -9nf cli/bin',
  'pkill --full cli/bin',
  'pkill --ful cli/bin',
  'pkill --signal KILL --full cli/bin',
  'pkill cli/bin -f',
  'pkill -o -f -- cli/bin',
  'pkill -x node',
  'pkill -v vite',
  'pkill --inverse vite',
  'skill -c node',
  'skill node -9',
  'snice +19 node',
  'snice node',
  'slay -9 node',
  'fkill -f node',
  'fkill --force node',
  'pskill -t node.exe',
  'taskkill /im node.exe /f',
  'taskkill /f /im n*',
  'taskkill /f /fi "imagename ne chrome.exe"',
  `wmic process where "name like '%node%'" delete`,
  `wmic process where "commandline like '%hookgate%'" call terminate`,
  'pwsh -c "Stop-Process -ProcessName node"',
  'pwsh -c "Stop-Process -N vite,node"',
  'pwsh -c "kill -N node"',
  'cpulimit --exe=node -l 1',
  'cpulimit -enode -l 1',
]

/** By an owner, a terminal or a parent alone. */
const byOwner = [
  'pkill -U 1000',
  'pkill -u1000',
  'pkill --euid 1000',
  'pkill --euid=me',
  'pkill --eui me',
  'pkill -KILL -t pts/0',
  'pkill -g 0',
  'pkill -s 0 -9',
  'pkill --parent 1',
  'pkill --parent=1',
  'pkill -P1',
  'killall -u me',
  'killall -ume',
  'killall --user me',
  'killall --us=me -9',
  'killall -9 -u me -s KILL',
  'skill -u me',
  'snice +19 -u me',
  'renice 19 -ume',
  'renice -n 19 --user me',
  'ionice -c3 --uid=1000',
  'taskkill /f /fi "username eq me"',
  'taskkill /f /fi "STATUS eq running"',
  'taskkill /f /fi "SESSION eq 1"',
]

/** By a port, or a file that is open. */
const byPort = [
  'fuser --kill -n tcp PORT',
  'fuser -n tcp -k PORT',
  'fuser --kill --namespace tcp PORT',
  'fuser --kil PORT/tcp',
  'fuser -skn tcp PORT',
  'fuser -KILL -k PORT/tcp',
  'fuser -k ~/.local/state/hookgate/gate.lock',
  'fuser --kill --mount ~/.local/state',
  'fuser -kc ~/.local/state',
  'kill-port -p PORT',
  'npx kill-port --port=PORT',
  'npx fkill-cli :PORT',
]

/** As services, by whatever keeps these. */
const byService = [
  'supervisorctl stop hookgate',
  'pm2 delete hookgate',
  'rc-service hookgate stop',
  'sv down hookgate',
  'launchctl bootout gui/501/dev.hookgate',
  'loginctl kill-user me',
]

/** Numbers that a search found. */
const found = [
  'lsof -ti:PORT | xargs kill',
  'lsof -t -i :PORT | xargs -r kill -9',
  'lsof -ti tcp:PORT -sTCP:LISTEN | xargs kill',
  'lsof -ti4 | xargs kill',
  'lsof -ti tcp | xargs kill',
  'lsof -tcnode | xargs kill',
  'lsof -t -c no | xargs kill',
  'lsof -tu me | xargs kill',
  'lsof -t +d ~/.local/state/hookgate | xargs kill',
  'pgrep -x node | xargs kill -9',
  'pgrep -nf cli/bin | xargs kill',
  'pgrep --full cli/bin | xargs kill',
  'kill $(pgrep --ful cli/bin)',
  'kill $(pgrep -P 1)',
  'kill $(pgrep -v vite)',
  'kill $(pidof -s node)',
  'kill $(pidof -x hookgate)',
  'kill $(ps -eopid)',
  'kill $(ps -eo pid=)',
  'kill $(ps -A --format pid=)',
  'kill $(ps axo pid)',
  'kill $(ps --no-headers -Cnode -o pid)',
  'ps -C node -o pid= | xargs -n1 taskkill /pid',
  'pgrep hookgate | xargs -I{} renice 19 {}',
  'fuser -n tcp PORT | xargs kill',
  'kill $(fuser ~/.local/state/hookgate/gate.sock 2>/dev/null)',
  'seq 471000 1 472000 | xargs kill',
  'jot - 471000 472000 | xargs kill',
  'pgrep hookgate | xargs kill -STOP',
]

/** Other processes, in the same spellings. */
const others = [
  'kill -s KILL -- 4711',
  'kill -n 9 4711',
  'kill -l',
  'killall -e vite',
  'killall --exact --signal KILL vite',
  'killall -u me -r vite',
  'pkill -nf vite',
  'pkill --full dist/server.js',
  'pkill -9 --euid me vite',
  'pkill --parent=4711',
  'skill -c vite',
  'slay vite',
  'fkill vite',
  'fkill :3000',
  'taskkill /f /im chrome.exe /fi "USERNAME eq me"',
  'taskkill /f /fi "IMAGENAME eq chrome.exe"',
  'taskkill /f /fi "PID eq 4711"',
  `wmic process where "name='chrome.exe'" delete`,
  'wmic process where name="node.exe" get processid',
  'pwsh -c "Stop-Process -Name vite,chrome"',
  'pwsh -c "Stop-Process -I 4711"',
  'pwsh -c "Stop-Process -Id 4711,4712"',
  'fuser --kill -n tcp 3000',
  'fuser PORT/tcp',
  'fuser -n tcp PORT',
  'lsof -ti:3000 | xargs kill',
  'lsof -tc vite | xargs kill',
  'lsof -t -u me -i :3000 | xargs kill',
  'kill $(ps -o pid= -p 4711)',
  'kill $(ps -o pid= --ppid 4711)',
  'kill $(pidof -s vite)',
  'pgrep -v vite',
  'lsof -ti',
  'renice 10 -p 4711',
  'cpulimit --exe=ffmpeg -l 50',
  'strace -p4711,4712',
  'strace $CMD',
  'chrt -f 10 $CMD',
  'renice 10 $PID',
  'gdb ./a.out $PID',
  'taskkill /pid 4711 /t',
  'pgrep vite | xargs pkill -P',
]

const filled = (row: string) => row.replaceAll('GATE', `${gatePid}`).replaceAll('PORT', `${gatePort}`)

it.each([
  ['by their number', byNumber],
  ['by their name', byName],
  ['by their owner', byOwner],
  ['by a port or a file', byPort],
  ['as services', byService],
  ['by a search', found],
])('processes that a call ends %s are not the gate’s', async (_, rows) => {
  const user = protectedUser()
  const missed: string[] = []
  for (const row of rows) if ((await user.command(filled(row))).decision !== 'deny') missed.push(row)
  expect(missed).toEqual([])
})

it('other processes are ended in the same spellings', async () => {
  const user = protectedUser()
  const stopped: string[] = []
  for (const row of others) if ((await user.command(filled(row))).decision !== 'abstain') stopped.push(row)
  expect(stopped).toEqual([])
})
