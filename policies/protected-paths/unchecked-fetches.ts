import { everywhere, type JudgedChange, linesOf } from './edited-files.ts'

/** A digest that says what is fetched: in hex, or as `sha256-…=`. */
const digest =
  /\b(?:sha-?(?:1|256|384|512)|md5|checksum|integrity|hash|digest|url_hash)\w*["']?\s*(?:[:=]|=>|\s)\s*(?:\w+=)?["']?(?:sha\d{3}-)?[\w+/]{32,128}={0,2}/i
/** What fetches, or says from where. */
const fetching = /https?:\/\/|\b(?:urls?|fetch\w*|http_archive|src|source|download\w*|archive)\b/i

/** Addresses that are names rather than places, and those of one's own machine and net. */
const ownAddress =
  /^(?:localhost|127\.|0\.0\.0\.0|\[::1|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|host\.docker\.internal|[^./]+(?:[:/]|$)|[\w.-]+\.(?:local|internal|localhost|svc|test|lan)(?:[:/]|$)|(?:www\.)?w3\.org|(?:www\.)?xmlns|schemas?\.|[\w.-]+\/schemas?\/|purl\.org|json-schema\.org)/i
const address = /\bhttps:\/\/([\w.-]{3,200})/

/** Returns how a change has something fetched that nobody compares, or by a way on which anybody can change it. */
export function uncheckedFetch({ removed, added }: JudgedChange): string | undefined {
  if (removed === '') return undefined
  const isAlone = !linesOf(removed).some((line) => fetching.test(line) && !digest.test(line))
  if (digest.test(removed) && !digest.test(added) && (isAlone || linesOf(added).some((line) => fetching.test(line))))
    return 'would fetch something without comparing its checksum'
  const host = [...removed.matchAll(everywhere(address))]
    .map(([, name = '']) => name)
    .find((name) => !ownAddress.test(name) && added.includes(`http://${name}`) && !removed.includes(`http://${name}`))
  return host === undefined ? undefined : `would reach ${host} without encryption`
}
