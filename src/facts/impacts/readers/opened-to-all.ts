import type { Impact, ImpactArea } from '../../../model/impact.ts'
import type { Call } from '../../../words/calls.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { entriesOf } from '../../programs/table.ts'
import { makeImpact } from '../make-impact.ts'

/** Areas whose programs change what a provider keeps for their users. */
const ofProviders: ReadonlySet<ImpactArea | undefined> = new Set<ImpactArea>([
  'aws',
  'azure',
  'google-cloud',
  'cloud-providers',
  'hosting',
  'data-platforms',
  'database-servers',
  'storage',
  'load-balancers',
  'dns-and-cdn',
])

/** Words for everybody, as providers have them: every address, every user, a list of rights that lets all read. */
const everybody =
  /(?<![\d.])0\.0\.0\.0\/0(?!\d)|(?<![\da-f:])::\/0|\ball(?:Authenticated)?Users\b|\bpublic-read(?:-write)?\b|\bGroup=all\b|\ballPublic\b|--group-names all\b|--publicly-accessible\b|--allow-blob-public-access true\b|--public-access (?:blob|container)\b|--public-network-access enabled\b|--default-action allow\b|--no-enable-master-authorized-networks\b|--source-address-prefix(?:es)? (?:\*|internet|any)(?= |$)|--allowed-origins \*(?= |$)|--start-ip-address 0\.0\.0\.0 .*255\.255\.255\.255/i

/** Begins a verb that shows something, or that takes back what was opened. */
const closing =
  /^(?:list|ls|describe|get|show|view|status|info|diff|search|head|check|validate|simulate|test|revoke|remove|delete|rm|unset|detach|deny)(?:-|$)/i
/** Commands in which a word for everybody opens nothing: rules for what goes out, routes, refusals, and files of a web site. */
const otherwise =
  /^ s3 (?:cp|mv|sync) |\begress\b|outbound|--direction[ =]out|--(?:action|access)[ =](?:deny|drop|block)|action=drop|create-route|create-replace-route/i
/** An option in front of an address that says where something goes, and not who may come. */
const destination = /--dest\S{0,40} \S*$/

/**
 * Finds what a program of a provider opens to everybody: a firewall to every address, a bucket to every reader. Providers
 * say it in the same few words, whatever their programs are called.
 */
export function findOpenedToAll(call: Call): readonly Impact[] {
  const area = entriesOf(call.program).find(({ family }) => ofProviders.has(family.area))?.family.area
  if (area === undefined) return []
  const text = ` ${call.args.map(({ value }) => value.replace(/^(--[\w-]+)=/, '$1 ')).join(' ')}`
  const found = everybody.exec(text)
  if (found === null || otherwise.test(text) || destination.test(text.slice(0, found.index))) return []
  const line = lineIn(call, {})
  const words = line.words.map((word) => word.text).slice(0, verbsMax)
  if (words.some((word) => closing.test(word)) || line.surely('help') || line.surely('dry-run')) return []
  return [
    makeImpact(call, line, {
      kind: 'grant',
      thing: 'account',
      area,
      object: 'everybody',
      names: [],
      undo: 'work',
      words: `… ${found[0].trim()}`,
      instead: 'name the addresses or the users who need it',
    }),
  ]
}

/** The verb of a provider's program is among its first words: `compute firewall-rules create`. */
const verbsMax = 4
