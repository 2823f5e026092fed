import type { Impact, ImpactKind } from '../model/impact.ts'
import { outputNames } from './typed-words.ts'

const verbs: Readonly<Record<ImpactKind, string>> = {
  show: 'show',
  create: 'create',
  change: 'change',
  overwrite: 'overwrite',
  delete: 'delete',
  rollback: 'roll back',
  deploy: 'deploy',
  stop: 'stop',
  restart: 'restart',
  publish: 'publish',
  withdraw: 'withdraw',
  merge: 'merge',
  grant: 'grant rights',
  revoke: 'revoke',
  send: 'send',
  pay: 'move money by',
  spend: 'pay for',
  run: 'run',
  open: 'open',
  install: 'install',
  weaken: 'weaken',
  attack: 'attack',
}

/** True for a review, which is there so that somebody else looks. */
const isApproval = (kind: ImpactKind, object: string): boolean => kind === 'weaken' && /^(?:request|run)\b/.test(object)

/** What lets in whoever comes, where that is a way and no right. */
const opensTo = /, to everybody$/

const verbOf = ({ kind, area, object = '' }: Impact): string => {
  if (area === 'privileges' || object === 'another agent') return 'start'
  if (kind === 'weaken' && object.startsWith('service')) return 'switch off'
  if (isApproval(kind, object)) return 'approve'
  if (kind === 'grant' && opensTo.test(object)) return 'open'
  if (kind === 'weaken' && /^the check of (?!who )|own checks$/.test(object)) return 'skip'
  if (kind === 'create' && object.startsWith('source of ')) return 'add'
  if (kind === 'spend' && /^the (?:limit|payment) /.test(object)) return 'end'
  return kind === 'pay' && object === 'money' ? 'move' : verbs[kind]
}

/** Returns the third person of a verb: "rolls back". */
const thirdPerson = (verb: string): string => verb.replace(/^\w+/, (word) => word + (/[cs]h$/.test(word) ? 'es' : 's'))

/** One way out for each kind, for the agent. */
const waysOut: Readonly<Record<ImpactKind, string>> = {
  show: 'have the person look at it',
  create: 'have the person create it',
  change: 'show the person the change, and have them make it',
  overwrite: 'have the person do it',
  delete: 'have the person delete it',
  rollback: 'have the person roll it back',
  deploy: 'show the person what would change, and have them deploy it',
  stop: 'have the person stop it',
  restart: 'have the person restart it',
  publish: 'show it to the person, and have them publish it',
  withdraw: 'have the person withdraw it',
  merge: 'have the person merge it',
  grant: 'have the person grant them',
  revoke: 'have the person revoke it',
  send: 'show the person the text, and have them send it',
  pay: 'say how much, and have the person pay it',
  spend: 'say what it costs, and have the person pay for it',
  run: 'save it to a file, and have the person read and run that',
  open: 'have the person do it',
  install: 'have the person check whose it is',
  weaken: 'have the person do it',
  attack: 'have the person say that its owner agrees',
}

/** Verbs whose remedy names the thing by a word that is said of one or of several. */
const ofThings = /^(?:create|delete|rollback|stop|restart|revoke)$/

function wayOutOf(impact: Impact): string {
  const { kind, thing, area, object = '' } = impact
  if (kind === 'show' && (thing === 'secret' || thing === 'variable'))
    return `have the program that needs ${pronounOf(impact)} read ${pronounOf(impact)} itself`
  if (kind === 'delete' && object.includes('uncommitted changes')) return 'commit them first'
  if (isApproval(kind, object)) return 'have the person review it'
  if (kind === 'run' && area === 'sql') return 'have the person run it'
  if ((kind === 'grant' && /(?:^|, to )everybody$/.test(object)) || isLimit(impact)) return 'have the person do it'
  return ofThings.test(kind) ? waysOut[kind].replace(/\bit\b/, pronounOf(impact)) : waysOut[kind]
}

/** True for words that end in what another command prints: as many names as it has lines. */
const namesByOutput = (words: string): boolean => words.endsWith(outputNames)

/** True for what keeps costs down, which is taken away. */
const isLimit = ({ kind, object = '' }: Impact): boolean => kind === 'spend' && /^the (?:limit|payment) /.test(object)

const pronounOf = ({ object = '', names, extent, words }: Impact): string =>
  names.length > 1 ||
  (names.length === 0 && namesByOutput(words)) ||
  (extent === 'all' && names.length === 0 && !isPhrase(object)) ||
  isSeveral(object)
    ? 'them'
    : 'it'

/** True for the name of several things: "images of", "unused volumes", "the tables of the database". */
const isSeveral = (object: string): boolean =>
  /(?<![su])s$/.test(nounOf(object.replace(goesOn, ''))) && !/^(?:what|whatever|every|series)\b/.test(object)

/** How much of an impact's names is said: how many, and how long, in UTF-16 units. A path is known by its first part. */
interface Room {
  readonly names: number
  readonly characters: number
  /** What is lost with the thing is said too. */
  readonly losses: boolean
}
const rooms: readonly Room[] = [
  { names: 3, characters: 60, losses: true },
  { names: 2, characters: 40, losses: true },
  { names: 2, characters: 40, losses: false },
  { names: 1, characters: 40, losses: false },
]
const [allRoom = { names: 3, characters: 60, losses: true }] = rooms
const leastRoom: Room = { names: 1, characters: 20, losses: false }

/** More of a reason is not read, in UTF-16 units: agents show it in a line or two. */
const reasonCharactersMax = 160
/** More of the words of a call are not said in its reason, in UTF-16 units. */
const wordCharactersMax = 60

const cut = (text: string, charactersMax: number): string =>
  text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text

/** The noun of an object's name: "rows" of "rows of the database". */
const nounOf = (object: string): string =>
  object.split(/ (?:of|in|on|at|from|with|without|that|to|for) |, /, 1)[0] ?? object

/** Returns the plural of an object's name. */
function plural(object: string): string {
  const noun = nounOf(object)
  const several = noun
    .split(' and ')
    .map((one) =>
      /(?<!s)s$/.test(one) ? one : `${one.replace(/(?<=[^aeiou])y$/, 'ie').replace(/(?<=ch|sh|x|ss)$/, 'e')}s`,
    )
  return several.join(' and ') + object.slice(noun.length)
}

/** Phrases that stand for themselves: "the flash memory", "unused images". */
const isPhrase = (object: string): boolean =>
  /^(?:the|this|all|another|every|everything|everybody|unused|what|whatever|where|who|more|money)(?: |$)/.test(object)
/** Phrases that go on with a name: "everything in". */
const goesOn = / (?:of|in|on|at|under|from|to|before|called|line with)$/

/** How such a phrase ends where no name is known. */
const unnamed: Readonly<Record<string, string>> = {
  'what is at': 'what is at an address',
  'files that are only in': 'files that are only there',
  'every process called': 'every process of a name',
}

/** Objects of which only what they are part of has a name. */
const isPart = /^(?:row|column|partition|constraint|documents?)$/

/** Nouns that have no article: they are not counted. */
const uncounted = /(?:^| )(?:data|metadata|content|access|traffic)$/

const withArticle = (object: string): string =>
  /(?<!s)s$/.test(nounOf(object)) || uncounted.test(nounOf(object))
    ? object
    : `${/^(?:[aeioAEIO]|u(?!s|ni)|ssh |npm )/.test(object) ? 'an' : 'a'} ${object}`

/** Returns what an impact is about: "namespace `staging`", "all pods", "a bucket". */
function objectText(
  { kind, object: written, thing, names, extent, through, words, targets, area }: Impact,
  room: Room,
): string {
  const object = written?.replace(/\b(?:ip|vpc|vpn|nat)\b/, (word) => word.toUpperCase())
  const named = names.slice(0, room.names).map((name) => `\`${cut(name, room.characters)}\``)
  const more = names.length - named.length
  const list =
    more > 0
      ? `${named.join(', ')} and ${more} more`
      : [...named.slice(0, -2), named.slice(-2).join(' and ')].join(', ')
  // Where no receiver is known, a request is named by its address.
  const isAddress = through === 'request' && names.some((name) => name.includes('/'))
  if (kind === 'send')
    return `${object === undefined ? 'a message' : withArticle(object)}${list === '' ? '' : ` ${isAddress ? 'through' : 'to'} ${list}`}`
  if (object === undefined && list === '') return kind === 'deploy' ? 'a new version' : thingTexts[thing]
  if (object === undefined) return list
  if (goesOn.test(object)) {
    const noun = nounOf(`${object} `)
    const isOne = !isPhrase(object) && !isSeveral(noun) && !uncounted.test(noun)
    const counted = isOne ? withArticle(object) : object
    if (list !== '') return `${counted} ${list}`
    const end = unnamed[object] ?? counted.replace(goesOn, '')
    return extent === 'all' && counted === object && !isPhrase(object) ? `all ${end}` : end
  }
  if (isPhrase(object))
    return (through === 'request' || through === 'code') && list !== '' ? `${object}, at ${list}` : object
  if (isPart.test(object) && list !== '')
    return `${extent === 'all' ? `every ${object}` : withArticle(object)} of ${list}`
  if (list !== '') {
    // "bucket `shop`, with everything in it"
    const [head = '', ...rest] = object.split(/(?=, )/)
    const link = head.endsWith('changes') ? ' to' : ''
    const several = names.length > 1 ? plural(head) : head
    // "a source of packages `x`", but "bucket `x`"
    const counted = names.length === 1 && nounOf(head) !== head && !isPhrase(head) ? withArticle(head) : several
    return `${counted}${link} ${list}${rest.join('')}`
  }
  if (extent === 'all') return `all ${plural(object)}${area === 'kubernetes' ? placeIn(targets, room) : ''}`
  if (namesByOutput(words)) return plural(object)
  return withArticle(object)
}

/** Returns the namespace of what has no names, where an option says it. */
function placeIn({ namespace, n = namespace }: Impact['targets'], { characters }: Room): string {
  const [name = ''] = n ?? []
  return name === '' ? '' : ` in namespace \`${cut(name, characters)}\``
}

/** Returns the file that an edit is of, by its end: "in `.github/workflows/ci.yml`". */
function fileText({ targets: { file: [file = ''] = [] } }: Impact, { characters }: Room): string {
  const shown = file.length > characters ? `…${file.slice(-characters)}` : file
  return shown === '' ? '' : ` in \`${shown}\``
}

/** The word before what rights are granted with, to whom, or on what. */
function grantedBy({ area, object }: Impact): string {
  if (area === 'privileges' || opensTo.test(object ?? '')) return ''
  if (object === undefined) return 'to '
  if (object === 'container') return 'over its machine to '
  if (/(?:(?:ssh|gpg|deploy|access) key|key pair)$/.test(object)) return 'to whoever has '
  if (/(?:binding|assignment|policy|permission|credential)$/.test(object)) return 'with '
  return /(?:user|role|group|team|member|account|principal|body|container|image|program)$/.test(object) ? 'to ' : 'on '
}

const thingTexts: Readonly<Record<Impact['thing'], string>> = {
  data: 'stored data',
  infrastructure: 'infrastructure',
  container: 'a container',
  deployment: 'what is deployed',
  repository: 'the repository',
  reference: 'a branch or tag',
  history: 'commits',
  stash: 'stashed changes',
  worktree: 'a worktree',
  package: 'a package',
  account: 'an account',
  secret: 'a secret',
  message: 'a message',
  money: 'something that costs money',
  guard: 'a guard',
  backup: 'a backup',
  record: 'what is recorded',
  pipeline: 'a pipeline',
  variable: 'a variable of the pipeline',
  setting: 'a setting',
  machine: 'the machine',
  network: 'a part of the network',
  code: 'code',
}

/** What is lost with some things, where they are deleted or stopped. */
const losses: Readonly<Partial<Record<Impact['thing'], string>>> = {
  backup: ', perhaps the only copy',
  record: ', which people watch',
  secret: ', which programs may need',
}

/** Things that go with all that was made in them. */
const holders = /(?:^| )(?:namespace|project|resource group|organization|tenant|environment|vault)$/

/** Returns an impact in words, with the names of the call: "deletes namespace `staging`, for good, in production". */
export const impactText = (impact: Impact): string => said(impact, thirdPerson(verbOf(impact)), allRoom)

/** Returns what an impact is about, in words: "a GitHub token", "Vault secret `shop/db`". */
export const impactObject = (impact: Impact): string => objectText(impact, allRoom)

/** Returns what it is about, and where that is if it is not here: "service `nginx` on `web1`", "container `db`". */
function placedText(impact: Impact, room: Room): string {
  const { elsewhere } = impact
  const text = objectText(impact, room)
  if (elsewhere === undefined) return text
  const place = elsewhere.replace(/^\w+ /, '')
  const named = text.replace(/this machine|(?<=\bof )(?:another machine|a container)/, () => place)
  return named === text ? `${text} ${elsewhere}` : named
}

function said(impact: Impact, verb: string, room: Room): string {
  const { kind, thing, area, object = '', names, undo, where, consequence } = impact
  const isLost = undo === 'never' && (kind === 'delete' || kind === 'overwrite')
  const place = where === 'production' ? (object.startsWith('what runs') ? ' in production' : ', in production') : ''
  const isKept = kind === 'delete' ? !/schedule|polic|plan|rule/.test(object) : kind === 'stop' && thing !== 'backup'
  const lost = room.losses && isKept ? (losses[thing] ?? '') : ''
  const isHolder =
    (holders.test(nounOf(object)) && !object.includes(', ')) || (area === 'azure' && object === 'subscription')
  const held = kind === 'delete' && isHolder ? ` and everything in ${names.length > 1 ? 'them' : 'it'}` : ''
  const loss = consequence === undefined ? held + lost : `, ${consequence}`
  const link = kind === 'grant' ? grantedBy(impact) : ''
  return `${verb} ${link}${placedText(impact, room)}${fileText(impact, room)}${loss}${isLost ? ', for good' : ''}${place}`
}

/** Returns why a call is held back for an impact: what would happen, then one way out. */
export function impactReason(impact: Impact): string {
  const reasons = [...rooms, leastRoom].map((room) => reasonIn(impact, room))
  return reasons.find(({ length }) => length <= reasonCharactersMax) ?? reasons.at(-1) ?? ''
}

function reasonIn(impact: Impact, room: Room): string {
  const isEdit = typeof impact.by === 'string' && impact.targets['file'] !== undefined
  const call = isEdit ? 'this edit' : `\`${cut(impact.words, wordCharactersMax)}\``
  const verb = verbOf(impact)
  return impact.unsure === true
    ? `${call} may ${said(impact, verb, room)}, which is known only when it runs: ${impact.instead ?? 'write out what it is given'}`
    : `${call} ${said(impact, thirdPerson(verb), room)}: ${impact.instead ?? wayOutOf(impact)}`
}
