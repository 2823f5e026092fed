import {
  abstains,
  answerTo,
  asks,
  definePolicy,
  denies,
  type Impact,
  type PolicyEvent,
  readOptions,
  setOf,
  type ShellFacts,
  strictest,
} from 'hookgate/policy'

/** Words of a folder's name that say nothing of whose a program is. */
const general = setOf(
  'server client service services daemon worker workers project projects workspace code test tests main master develop node python backend frontend docker chrome desktop agent claude codex github'.split(
    ' ',
  ),
)

/** True if the one process that is meant is called like the folder that the agent works in: `acme-api` in `acme`. */
function isOfProject(
  { names: [name = '', more], by }: Impact,
  { commands }: ShellFacts,
  { session, workspaceRoots }: PolicyEvent,
): boolean {
  const { args = [] } = (typeof by === 'number' ? commands[by] : undefined) ?? {}
  if (more !== undefined || !/^[\w-]{5,}$/.test(name)) return false
  // Options that take a value, or are long, may choose others as well.
  if (args.some(({ unresolved }) => unresolved === true)) return false
  if (!readOptions(args).given.every((option) => /^[fx\dA-Z]$/.test(option.name))) return false
  const words = name.toLowerCase().split(/[-_]/)
  const roots = workspaceRoots.length === 0 ? [session.cwd] : workspaceRoots
  return roots.some((root) =>
    root
      .slice(root.lastIndexOf('/') + 1)
      .toLowerCase()
      .split(/[-_.]/)
      .some((word) => word.length > 3 && !general.has(word) && words.includes(word)),
  )
}

export default definePolicy({
  id: 'mass-kill',
  severity: 'medium',
  description: 'Refuses to kill every process; asks before processes are killed by name',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['processes'] },
  decide: ({ event, shell, impacts }) =>
    strictest(
      impacts
        .filter(({ area, undo }) => area === 'processes' && undo !== 'easily')
        .filter((impact) => impact.undo === 'never' || !isOfProject(impact, shell, event))
        .map((impact) => answerTo(impact)),
    ),
  examples: [
    denies('everything', 'kill -9 -1'),
    abstains('one process', 'kill -9 1234'),
    denies('the first process', 'sudo kill 1'),
    abstains("a container's program", 'docker exec web kill -HUP 1'),
    denies('the first process of another machine', 'ssh host kill -9 1'),
    denies('everything in a container', 'docker exec web kill -9 -1'),
    abstains('by the gentlest signal', 'kill -1 1234'),
    denies('with a named signal', 'kill -s KILL -- -1'),
    abstains('the names of signals', 'kill -l'),
    asks('by name', 'killall node'),
    abstains('one of Windows', 'taskkill //F //PID 1234'),
    asks('by name on Windows', 'taskkill /F /IM node.exe'),
    asks('both of it', 'taskkill /PID 1234 /IM node.exe'),
    denies('all of them there', 'taskkill /F /IM *'),
    abstains('one in PowerShell', "pwsh -c 'Stop-Process -Id 1234'"),
    abstains(
      'at one port in PowerShell',
      "pwsh -c '(Get-NetTCPConnection -LocalPort 3000).OwningProcess | % { Stop-Process -Id $_ -Force }'",
    ),
    asks(
      'found by name in PowerShell',
      "pwsh -c 'Get-Process node | ForEach-Object { Stop-Process -Id $_.Id -Force }'",
    ),
    asks('by name in PowerShell', "pwsh -c 'Stop-Process -Name node'"),
    abstains('by its line', 'pkill -f "node dist/server.js"'),
    asks('by a part of it', 'pkill -f node'),
    abstains('what is started again', 'pkill -f uvicorn; uvicorn app:app &'),
    abstains('what is built and started again', 'pkill -f shop-api; cargo run -p shop-api &'),
    abstains('a program that is called like the project', 'pkill -9 -f acme-server', { cwd: '/home/u/acme-2' }),
    asks('a program that is called otherwise', 'pkill -9 -f acme-server', { cwd: '/home/u/server' }),
    asks('what is only looked for again', 'pkill -f uvicorn; pgrep uvicorn'),
    abstains('a script', 'pkill -f server.py'),
    asks('every script', 'pkill -f .py'),
    abstains('a program of the project', 'pkill -9 -f target/debug/app'),
    asks('a program of the system', 'pkill -f /usr/bin/app'),
    abstains('at a port', 'fuser -k 3000/tcp'),
    asks('at a port of the system', 'fuser -k 22/tcp'),
    abstains('looking by name', 'pgrep node'),
    denies('all of a user', 'pkill -9 -u me'),
    denies('all that are listed', 'kill -9 $(ps -eo pid)'),
    abstains('one by its parent', 'kill $(ps -o pid= --ppid 12)'),
    denies('all that are listed, by a column', "ps aux | awk '{print $2}' | xargs kill -9"),
    abstains('some that are listed', "ps aux | grep '[n]ode server' | awk '{print $2}' | xargs kill"),
    abstains('some that a column tells', "ps aux | awk '/node server/ {print $2}' | xargs kill"),
    denies('all that any name has', 'pgrep . | xargs kill'),
    abstains('some that a name has', 'pgrep -f vite | xargs kill'),
    abstains('as text', 'echo "kill -9 -1"'),
  ],
})
