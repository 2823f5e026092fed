import {
  abstains,
  ask,
  asks,
  definePolicy,
  type Impact,
  impactReason,
  loadsVariables,
  type ShellCommand,
  type ShellFacts,
  unknownPart,
  lineOf,
} from 'hookgate/policy'
import { showsNames } from './line-filters.ts'
import { isDropped, isKept, isShown, passesOn, passesWhole, picksPlain, secretsShown } from './shown.ts'

/** True for a search, or an editor of lines. */
const picksLines = ({ output }: ShellCommand): boolean =>
  output === 'matches' || output === 'counts' || output === 'parts'
const telling =
  /secret|token|passw|api.?key|credential|private|\bpass\b|(?:^|[^a-z])key|(?:^|[^a-z])(?:aws|pat|auth)(?:[^a-z]|$)/i

/** Returns the program that picks secrets out of the variables that a command prints. */
function filterOf({ commands, flows }: ShellFacts, at: number): number | undefined {
  const next = flows.find(({ from, via }) => from === at && via === 'pipe')?.to
  const filter = next === undefined ? undefined : commands[next]
  if (next === undefined || filter === undefined || !picksLines(filter)) return undefined
  const words = filter.args.map(({ value }) => value)
  const showsNone = filter.output === 'counts' || lineOf(filter)?.has('v', 'l', 'L', 'invert-match') === true
  const isHandedOn = flows.some(({ from, to }) => {
    const receiver = commands[to]
    return from === next && (receiver === undefined || !picksLines(receiver))
  })
  return !showsNone && !isHandedOn && words.some((word) => telling.test(word)) ? next : undefined
}

/** True if all that goes on of variables is what a search picks by names that are no secret's. */
function picksPlainNext({ commands, flows }: ShellFacts, at: number): boolean {
  const reached = new Set([at])
  for (const one of reached) {
    const onward = flows.filter(({ from }) => from === one)
    if (onward.length === 0) return false
    for (const { to, via } of onward) {
      const filter = commands[to]
      if (via !== 'pipe' || filter === undefined) return false
      if (!picksPlain(filter) && !showsNames(filter)) reached.add(to)
    }
  }
  return true
}

const isLoopbackName = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1\]?)$/

/** True for a request to a server of this machine; HTTPie leaves its name out. */
const isToThisMachine = ({ network }: ShellCommand) =>
  isLoopbackName.test(network?.host ?? '') || /^:\d/.test(network?.url ?? '')

/** True if a command prints a random value that nobody has used yet. */
const isRandom = ({ output, code }: ShellCommand) =>
  output === 'random' ||
  /\b(?:secrets\.token_\w+|uuid4|randomBytes|randomUUID|SecureRandom|random_bytes)\(|SecureRandom\./.test(
    code?.text ?? '',
  )

/** True for a script of the project. */
const isOwnScript = ({ paths, code, network }: ShellCommand) =>
  code === undefined &&
  network === undefined &&
  paths.some(({ access, root }) => access === 'execute' && root !== undefined)

/**
 * True if a variable holds only what servers of this machine have answered (a session that a test has begun for one), what
 * has just been made by chance, or what a script of the project made for such a server.
 */
function isOfThisMachine({ commands, flows }: ShellFacts, at: number): boolean {
  const givers = flows.filter(({ to, via }) => to === at && via === 'variable').map(({ from }) => from)
  const all = new Set(givers)
  for (const one of all)
    for (const { from, to, via } of flows)
      if (to === one && (via === 'pipe' || (via !== 'file' && commands[one] !== undefined && handsOn(commands[one]))))
        all.add(from)
  const makers = [...all]
    .flatMap((one) => commands[one] ?? [])
    .filter((one) => isRandom(one) || isOwnScript(one) || !handsOn(one))
  const asked = commands.filter(({ network }) => network !== undefined)
  const isLocal = asked.length > 0 && asked.every(isToThisMachine)
  return (
    givers.length > 0 &&
    commands[at] !== undefined &&
    handsOn(commands[at]) &&
    makers.length > 0 &&
    makers.every(
      (one) =>
        isRandom(one) || (one.network?.kind === 'request' && isToThisMachine(one)) || (isLocal && isOwnScript(one)),
    )
  )
}
/** True for a command that prints no more than what it is given, by a pipe or in variables that commands have made. */
const handsOn = (command: ShellCommand): boolean =>
  command.output === 'words'
    ? command.args.every(
        ({ value, unresolved, from }) =>
          unresolved !== true || (from !== undefined && value.split(unknownPart).length - 1 <= from.length),
      )
    : command.program === '' || (passesOn(command) && !command.paths.some(({ access }) => access === 'read'))

/** True for a request to a server of this machine, whose secrets are those of a test. */
const isOfLocalServer = ({ through, where }: Impact) => through === 'request' && where === 'local'

/** True if the answer to a request goes to a file: `curl -o`. */
const isDownload = ({ paths }: ShellCommand, through: Impact['through']) =>
  through === 'request' && paths.some(({ access }) => access === 'write')

/** True if what a command shows of secrets ends up where it is seen. */
function staysSeen({ thing, area, names, through }: Impact, at: number, shell: ShellFacts): boolean {
  const command = shell.commands[at]
  const goesOn = shell.flows.some(({ from }) => from === at)
  if (command === undefined) return false
  if (area === 'environment' && names.length > 0)
    return (goesOn ? isShown(shell, at, passesWhole) : !isDropped(command)) && !isOfThisMachine(shell, at)
  if (thing === 'variable' && picksPlainNext(shell, at)) return false
  // Output that goes to another program is not shown, unless that decodes it or picks from it.
  return goesOn ? isShown(shell, at) : !isKept(command) && !isDownload(command, through)
}

export default definePolicy({
  id: 'print-secrets',
  description: 'Asks before printing a password or token held by a program or a variable',
  severity: 'high',
  on: 'PreToolUse',
  tool: ['shell', 'mcp'],
  carried: ['prompt'],
  interest: { impacts: ['show'] },
  params: {
    allowedVariables: { type: 'strings', default: [], description: 'variables that may be printed, by name' },
    wholeEnvironment: {
      type: 'boolean',
      default: false,
      description: 'whether to also ask before all variables are printed: `env`, `printenv`, `set`',
    },
  },
  decide({ shell, impacts, params }) {
    const byTool = impacts.find(
      ({ kind, thing, by, through, names }) =>
        kind === 'show' &&
        thing === 'secret' &&
        typeof by === 'string' &&
        through === undefined &&
        !(names.length > 0 && names.every((name) => params.allowedVariables.includes(name))),
    )
    if (byTool !== undefined) return ask(impactReason(byTool))
    for (const impact of secretsShown(impacts)) {
      const { by: at, area, thing, names } = impact
      const command = shell.commands[at]
      if (command === undefined || impact.unsure === true || isOfLocalServer(impact)) continue
      if (names.length > 0 && names.every((name) => params.allowedVariables.includes(name))) continue
      const isWhole = area === 'environment' && names.length === 0
      if ((!isWhole || thing === 'variable') && staysSeen(impact, at, shell)) return ask(impactReason(impact), { at })
      if (!isWhole) continue
      const filter = filterOf(shell, at)
      if (filter !== undefined)
        return ask(
          `\`${shell.commands[at]?.program ?? ''}\` shows the variables that have names of secrets: use the one that is needed`,
          {
            at: filter,
          },
        )
      const isHandedOn = shell.flows.some(({ from }) => from === at)
      if ((params.wholeEnvironment || loadsVariables(command)) && !isHandedOn) return ask(impactReason(impact), { at })
    }
    return undefined
  },
  examples: [
    { name: 'a token', given: { input: { command: 'gh auth token' } }, want: { effect: 'ask', reason: 'GitHub' } },
    abstains('whether there is one', 'gh auth status'),
    asks('a password', 'security find-generic-password -s x -w'),
    abstains('its entry', 'security find-generic-password -s x'),
    asks('a secret', 'kubectl -n a get secret b -o yaml'),
    asks('decoded', "kubectl get secret b -o jsonpath='{.data.p}' | base64 -d"),
    asks('kept in a file, and then shown', 'sops -d a.yaml > f && cat f'),
    asks('kept in a variable, and then shown', 'T=$(gh auth token); echo $T'),
    asks('kept in a file that is committed', 'gpg --export-secret-keys > k && git add k'),
    abstains('kept in a file that a program uses', 'sops -d a.yaml > f && kubectl apply -f f'),
    asks('a value beside a type', "kubectl get secret b -o json | jq '.type, .data'"),
    asks('a value that is picked', 'aws secretsmanager get-secret-value --secret-id a | jq -r .SecretString'),
    abstains('names that are picked', "kubectl get secret b -o json | jq '.data | keys'"),
    abstains('used by another program', 'vault kv get -field=p secret/a | docker login -u a --password-stdin'),
    abstains('kept in a file', 'sops -d a.yaml > f; chmod 600 f'),
    asks('printed to the terminal', 'gh auth token > /dev/tty'),
    abstains('kept', 'vault kv get -field=p secret/a | base64 -d > k.pem'),
    abstains('its type', "kubectl get secret b -o jsonpath='{.type}'"),
    asks('variables of a container', 'kubectl exec deploy/a -- env'),
    asks('variables of a container by a shell', "docker exec a sh -c 'printenv | sort'"),
    abstains('variables of a container that it is given', 'docker run --rm alpine env'),
    abstains('one of them', 'docker exec a printenv NODE_ENV'),
    abstains('those that are no secret', "docker exec a env | grep -E '^(PORT|NODE_ENV)='"),
    asks('those that may be one', "docker exec a env | grep -E 'PORT|DATABASE'"),
    abstains(
      'a token that a server of this machine has given',
      'T_TOKEN=$(curl -s localhost:80/a | jq -r .t); echo $T_TOKEN',
    ),
    abstains('a token made by chance', 'T_TOKEN=$(openssl rand -hex 16); echo $T_TOKEN'),
    abstains(
      'a token made for a server of this machine',
      'T_TOKEN=$(node a.js); echo $T_TOKEN; curl -H "a: $T_TOKEN" localhost:80',
    ),
    asks('a token made for another', 'T_TOKEN=$(node a.js); echo $T_TOKEN; curl -H "a: $T_TOKEN" https://a.example'),
    asks('a token that a script knows', 'T_TOKEN=$(node a.js); echo $T_TOKEN'),
    abstains('names of variables', 'docker exec a env | cut -d= -f1'),
    abstains('one, by a program of lines', "docker exec a env | awk -F= '/^TZ=/{print $2}'"),
    abstains('one that is picked from a description', "docker inspect a | jq -r '.[0].Config.Env[]' | grep ^PATH="),
    abstains('credentials of a cluster of this machine', 'kubectl config view --raw --minify --context kind-dev'),
    asks('credentials of all clusters', 'kubectl config view --raw --context kind-dev'),
    asks('a token of another server', 'T_TOKEN=$(curl -s https://a.example/a | jq -r .t); echo $T_TOKEN'),
    asks('variables in a description', "docker inspect -f '{{json .Config.Env}}' a"),
    asks('variables picked from a description', "docker inspect a | jq '.[0].Config.Env'"),
    abstains('another part of a description', "docker inspect -f '{{.State.Status}}' a"),
    asks('a variable of an app', 'heroku config:get DATABASE_URL'),
    abstains('a variable that is no secret', 'heroku config:get NODE_ENV -a shop'),
    abstains('an output that is no secret', 'terraform output -raw cluster_name'),
    asks('all outputs', 'terraform output -json'),
    abstains('its name', 'kubectl get secrets'),
    asks('a variable', 'echo "$GITHUB_TOKEN"'),
    abstains('another variable', 'echo "$LANG"'),
    asks('by name', 'printenv AWS_SECRET_ACCESS_KEY'),
    abstains('by name, to see whether it is set', 'printenv API_TOKEN > /dev/null'),
    asks('beside another', 'echo "$USER:$API_TOKEN"'),
    asks('in another form', 'echo $API_TOKEN | base64'),
    asks('by a substitution', 'echo $(printenv API_TOKEN)'),
    asks('with its attributes', 'declare -p API_TOKEN'),
    asks('by a list of names', 'for v in HOME API_TOKEN; do echo ${!v}; done'),
    asks('by a list of names, in code', `python3 -c "import os\nfor k in ['API_TOKEN']: print(os.environ[k])"`),
    abstains(
      'whether those of a list are set, in code',
      'node -e "for (const k of [\'API_TOKEN\']) console.log(k, !!process.env[k])"',
    ),
    abstains('another by name', 'printenv PATH'),
    abstains('a variable to be used', 'curl -H "a: $API_KEY" https://a.b'),
    abstains('allowed', 'echo $MY_TOKEN', { params: { allowedVariables: ['MY_TOKEN'] } }),
    abstains('all of them', 'env'),
    asks('those that are secret', 'env | grep -i token'),
    asks('those of a cloud', 'printenv | grep AWS_'),
    abstains('those of another kind', 'env | grep NODE'),
    abstains('how many there are', 'env | grep -c TOKEN'),
    abstains('their names', 'env | cut -d= -f1 | grep TOKEN'),
    abstains('what is left of them', 'env | grep -v SECRET | sort'),
    asks('one by code, without a line end', 'node -e \'process.stdout.write(process.env.APP_TOKEN || "")\''),
    abstains('whether one is set, by code', "node -e 'console.log(process.env.APP_TOKEN ? 1 : 0)'"),
    asks('all of them, with a file of them, by code', "node --env-file=.env -e 'console.log(process.env)'"),
    abstains('one of them, by code', "node --env-file=.env -e 'console.log(process.env.NODE_ENV)'"),
    asks('a secret one, by code', `python3 -c 'import os; print(os.environ["DB_PASSWORD"])'`),
    asks('all of them, with `wholeEnvironment`', 'env', { params: { wholeEnvironment: true } }),
    abstains('only printed', 'echo gh auth token'),
  ],
})
