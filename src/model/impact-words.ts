import type { Impact, ImpactKind } from './impact.ts'

const verbs: Readonly<Record<ImpactKind, string>> = {
  show: 'shows',
  create: 'creates',
  change: 'changes',
  overwrite: 'overwrites',
  delete: 'deletes',
  rollback: 'rolls back',
  deploy: 'deploys',
  stop: 'stops',
  restart: 'restarts',
  publish: 'publishes',
  withdraw: 'withdraws',
  merge: 'merges',
  grant: 'grants rights with',
  revoke: 'revokes',
  send: 'sends',
  pay: 'pays for',
  run: 'runs',
  weaken: 'weakens',
}

/** One way out for each kind, for the agent. */
const waysOut: Readonly<Record<ImpactKind, string>> = {
  show: 'have the person look at it',
  create: 'have the person create it',
  change: 'show the person the change, and have them make it',
  overwrite: 'keep what is there, or have the person replace it',
  delete: 'look at it first, and have the person delete it',
  rollback: 'have the person roll it back',
  deploy: 'show the person what would change, and have them deploy it',
  stop: 'look at its state first, and have the person stop it',
  restart: 'have the person restart it',
  publish: 'show it to the person, and have them publish it',
  withdraw: 'have the person withdraw it',
  merge: 'name the request, and have the person merge it',
  grant: 'have the person grant it',
  revoke: 'have the person revoke it',
  send: 'show the person the text, and have them send it',
  pay: 'say what it costs, and have the person pay for it',
  run: 'have the person read it and run it',
  weaken: 'leave it on, or have the person change it',
}

/** Names that a sentence has before it counts the others. */
const namesShownMax = 3

/** Longer names are cut in a sentence, in UTF-16 units: a path or an address is known by its first part. */
const nameCharactersMax = 60

const shown = (name: string): string =>
  `\`${name.length > nameCharactersMax ? `${name.slice(0, nameCharactersMax)}…` : name}\``

/** Returns the plural of an object's name. */
const plural = (object: string): string =>
  object.endsWith('s') ? object : object.replace(/(?<=[^aeiou])y$/, 'ie').replace(/(?<=ch|sh|x)$/, 'e') + 's'

const withArticle = (object: string): string =>
  object.endsWith('s') ? object : `${/^[aeiou]/.test(object) ? 'an' : 'a'} ${object}`

/** Returns what an impact is about: "namespace `staging`", "all pods", "a bucket". */
function objectText({ kind, object, thing, names, extent }: Impact): string {
  const named = names.slice(0, namesShownMax).map(shown)
  const more = names.length - named.length
  const list = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(' and ')
  if (kind === 'send')
    return `${object === undefined ? 'a message' : withArticle(object)}${list === '' ? '' : ` to ${list}`}`
  if (object === undefined) return list === '' ? thingTexts[thing] : list
  if (object === 'this' || object.startsWith('the ')) return object
  if (list !== '')
    return `${names.length > 1 ? plural(object) : object}${object.endsWith('changes') ? ' to' : ''} ${list}`
  if (extent === 'all') return `all ${plural(object)}`
  return withArticle(object)
}

const thingTexts: Readonly<Record<Impact['thing'], string>> = {
  data: 'stored data',
  infrastructure: 'infrastructure',
  deployment: 'what is deployed',
  repository: 'the repository',
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
  machine: 'the machine',
  network: 'a part of the network',
  code: 'code',
}

/** What is lost with some things, where they are deleted or stopped. */
const losses: Readonly<Partial<Record<Impact['thing'], string>>> = {
  backup: ', from which other things are restored',
  record: ', by which people learn what happens',
  secret: ', which other things may need',
}

/** Returns an impact in words, with the names of the call: "deletes namespace `staging`, for good, in production". */
export function impactText(impact: Impact): string {
  const { kind, thing, undo, where, consequence } = impact
  const isLost = undo === 'never' && (kind === 'delete' || kind === 'overwrite')
  const place = where === 'production' ? ', in production' : ''
  const lost = kind === 'delete' || kind === 'stop' ? (losses[thing] ?? '') : ''
  const loss = consequence === undefined ? lost : `, ${consequence}`
  return `${verbs[kind]} ${objectText(impact)}${loss}${isLost ? ', for good' : ''}${place}`
}

/** Returns why a call is held back for an impact: what would happen, then one way out. */
export function impactReason(impact: Impact): string {
  const said = `\`${impact.words}\` `
  return impact.unsure === true
    ? `${said}may be a command that ${impactText(impact)}, which is only known when it runs: ${impact.instead ?? waysOut[impact.kind]}`
    : `${said}${impactText(impact)}: ${impact.instead ?? waysOut[impact.kind]}`
}
