import {
  type Call,
  hostOf,
  type Impact,
  isOneOf,
  lineOf,
  namesOneOf,
  requestOf,
  type ShellCommand,
  type ShellFacts,
  tokensOf,
  type TouchedPath,
} from 'hookgate/policy'
import { type Release, releasing, runners, transfers, verbs } from './releases.ts'

/** Remotes of platforms that deploy what is pushed. */
export const deployingWords = 'heroku dokku piku gigalixir scalingo clever'

/** A push to production: by the remote's name or host, or to a branch of that name. */
function pushIn({ program, command }: Call, targets: readonly string[]): Release | undefined {
  const line = program === 'git' ? lineOf(command) : undefined
  if (line?.subcommand !== 'push' || line.surely('dry-run', 'n')) return undefined
  const [remote, ...refs] = line.operands.map(({ value }) => value)
  if (remote === undefined) return undefined
  const place = /[:/]/.test(remote) ? hostOf(remote) : remote
  const isBranch = (ref: string) =>
    targets.includes(ref.replace(/^.*:|^\+/, '').replace(/^(?:refs\/heads\/)?(?:(?:deploy|release|env)\/)?/, ''))
  const target = isOneOf(place, deployingWords) || namesOneOf(place, targets) ? remote : refs.find(isBranch)
  return target === undefined ? undefined : { effect: 'ask', verb: 'push', target }
}

/** Programs that copy to and from places of a cloud. */
const clouds = 'aws gsutil gcloud az azcopy rclone s3cmd mc'

/** Files that are brought to production. */
function copyIn({ program, args, command }: Call, targets: readonly string[]): Release | undefined {
  if (args.some(({ value }) => /^--dry-?run$/.test(value) || (program === 'rsync' && /^-[a-zA-Z]*n/.test(value))))
    return undefined
  const { direction, host = '', url } = command.network ?? {}
  const isFile = command.paths.some(({ access }) => access === 'read')
  if (direction === 'send' && url === undefined && isFile && namesOneOf(host, targets))
    return { effect: 'ask', verb: 'copy', target: host }
  if (!isOneOf(program, clouds) || direction === undefined || direction === 'receive') return undefined
  const verb = args.find(({ value }) => isOneOf(value, transfers))?.value
  const place = args.findLast(({ value }) => value.includes(':') && namesOneOf(value, targets))?.value
  return verb === undefined || place === undefined ? undefined : { effect: 'ask', verb, target: place }
}

/** Programs of a server whose subcommands change it, and the subcommands that no other place has. */
const serving = 'systemctl service supervisorctl rc-service initctl git apt apt-get dnf yum apk snap crontab'
const servingVerbs = 'start reload pull enable disable ci upgrade dist-upgrade autoremove'
const ending = 'reboot shutdown poweroff halt kill killall pkill'

/** The command that starts another one on a machine of production. */
function starterThere({ at }: Call, shell: ShellFacts, targets: readonly string[]): ShellCommand | undefined {
  // A command's starter has a smaller index, so this ends.
  for (let one: ShellCommand | undefined = shell.commands[at]; one?.startedBy !== undefined;) {
    one = shell.commands[one.startedBy]
    if (namesOneOf(one?.network?.host ?? '', targets)) return one
  }
  return undefined
}

/** A file there that remains. What the starter writes is here, and receives what is printed there. */
const isChanged = ({ access, absolute = '', written }: TouchedPath, { paths }: ShellCommand) =>
  (access === 'write' || access === 'delete') &&
  !/^\/(?:tmp|var\/tmp|dev)\//.test(absolute) &&
  !paths.some((path) => path.written === written)

/** A change that a command makes on another machine. */
function changeOf({ program, args, command }: Call, starter: ShellCommand): string | undefined {
  if (command.wrapper === true) return undefined
  if (isOneOf(program, ending)) return ''
  const words = args.map(({ value }) => value).filter((word) => !word.startsWith('-'))
  if (isOneOf(program, `${releasing} ${runners} ${serving}`)) {
    const verb = words
      .slice(0, 3)
      .flatMap((word) => word.split(':'))
      .find((word) => Object.hasOwn(verbs, word) || isOneOf(word, servingVerbs))
    if (verb !== undefined) return verb
  }
  if (/[/.]/.test(command.written?.value ?? '') && tokensOf(program).some((token) => Object.hasOwn(verbs, token)))
    return ''
  return command.paths.find((path) => isChanged(path, starter))?.written
}

/** Variables that say which database is meant. */
const sayingDatabase = /(?:^|_)(?:PGHOST|PGDATABASE|PGSERVICE|MYSQL_HOST|DATABASE_URL|DB_URL|DB_HOST)$/
/** Clients of files; a file's name is no server. */
const ofFiles = /^(?:sqlite|duckdb|litecli|libsql|sqlcipher|chdb|clickhouse-local)/

/** Rows of production that are changed, or a file of SQL that is run there. */
function rowsIn(
  { program, args, environment, at }: Call,
  impacts: readonly Impact[],
  host: string | undefined,
  targets: readonly string[],
): Release | undefined {
  const changes = impacts.some(({ by, area, through }) => by === at && area === 'sql' && through === undefined)
  if (!changes || ofFiles.test(program)) return undefined
  const places = [
    ...args.flatMap(({ value, variable = '' }) => (/\s/.test(value) ? [] : [value, variable])),
    ...environment.flatMap(({ name, value }) => (sayingDatabase.test(name) ? [value.value, value.variable ?? ''] : [])),
  ]
  const target = host ?? places.find((place) => namesOneOf(place, targets))
  return target === undefined ? undefined : { effect: 'ask', verb: 'SQL', target }
}

/** A request that starts a task whose name says both what it does and where: `POST …/job/deploy-prod/build`. */
function taskIn(call: Call, targets: readonly string[]): Release | undefined {
  const request = requestOf(call)
  if (request === undefined || /^(?:GET|HEAD)$/.test(request.method)) return undefined
  const task = request.urls
    .flatMap((url) => url.replace(/^\w+:\/\/[^/]*/, '').split(/[/?]/))
    .find((name) => namesOneOf(name, targets) && tokensOf(name).some((token) => verbs[token] === 'deny'))
  return task === undefined ? undefined : { effect: 'ask', verb: request.method, target: task }
}

/** Returns the change that a command makes to production by what it pushes, copies, runs or requests there. */
export function remoteChangeIn(
  call: Call,
  shell: ShellFacts,
  impacts: readonly Impact[],
  targets: readonly string[],
): Release | undefined {
  const starter = starterThere(call, shell, targets)
  const host = starter?.network?.host
  const change = starter === undefined ? undefined : changeOf(call, starter)
  if (change !== undefined) return { effect: 'ask', verb: change, target: `on ${host}` }
  return pushIn(call, targets) ?? copyIn(call, targets) ?? rowsIn(call, impacts, host, targets) ?? taskIn(call, targets)
}
