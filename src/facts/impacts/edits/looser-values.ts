/** Values from strict to loose: a step to the right lets more through. */
const scales = [
  'deny ask allow',
  'deny permit',
  'deny audit allow',
  'drop accept',
  'reject quarantine none',
  'reject accept',
  'block report',
  'block count',
  'block allow',
  'private internal public',
  'private unlisted public',
  'internal external',
  'none all',
  'none read write admin',
  'read write',
  'readonly readwrite',
  'viewer editor admin owner',
  'view edit admin',
  'reader writer owner',
  'user admin',
  'member admin owner',
  'guest member admin',
  'strict lax none',
  'required preferred optional',
  'require prefer allow disable',
  'require optional none',
  'mandatory optional',
  'sandbox live',
  'sandbox production',
  'restricted baseline privileged',
  'enforcing permissive disabled',
  'enforce audit off',
  'enforce dryrun',
  'enforce report',
  'closed open',
  'manual automatic',
  'manual auto',
  'always never',
  'verifyfull verifyca require prefer disable',
  'sameorigin allowall',
  'clusterip loadbalancer',
  'clusterip nodeport',
  'confirm auto',
  'critical high medium warning low info none',
  'page ticket warning info none',
]

const plainly = (value: string) => value.toLowerCase().replaceAll(/[^a-z0-9.]/g, '')

/** True if a value lets more through than the one before, by words that stand for more and less. */
export function isLooser(before: string, after: string): boolean {
  const [from, to] = [plainly(before), plainly(after)]
  return scales.some((line) => {
    const scale = line.split(' ')
    return scale.includes(from) && scale.indexOf(to) > scale.indexOf(from)
  })
}

/** Names of numbers that bound what somebody may try, hold or take; larger ones let more through. */
const bounds =
  /attempts?|ratelimit|limit$|^limit|quota|throttle|burst|expir|ttl$|lifetime|maxage|ageseconds|maxupload|maxbody|validity|failures?$|maxamount|maxrefund/i
/** Names of numbers that keep something back or for long; smaller ones let more through. */
const delays =
  /lockout|cooldown|backoff|retention|keepfor|minage|minlength|minimum|quorum|approvals?$|reviewers?$|confirmations?$|gracePeriod|deletionwindow|pointintime|historydays|backups?$/i
/** Names of numbers that are somebody's money. */
const money = /price|fee$|fees$|commission|taxrate|vatrate|discount|payout|interestrate|refundlimit|surcharge|cashback/i

const units: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  sec: 1,
  m: 60,
  min: 60,
  h: 3600,
  hr: 3600,
  d: 86400,
  day: 86400,
  days: 86400,
  w: 604800,
  y: 31536000,
}
const amountOf = (value: string): number | undefined => {
  if (/^(?:infinity|unlimited|-1|never|none|null|max|0x7fffffff|number\.max_safe_integer)$/i.test(value))
    return Infinity
  const [, number, unit = ''] = /^([\d_]{0,30}\.?\d{1,30})\s{0,3}([a-z]{0,9})$/i.exec(value) ?? []
  return number === undefined ? undefined : Number(number.replaceAll('_', '')) * (units[unit.toLowerCase()] ?? 1)
}

/** True if a number bounds much less than the one before, or is another amount of money. */
export function isUnbounded(key: string, before: string, after: string): boolean {
  const [from, to] = [amountOf(before), amountOf(after)]
  if (from === undefined || to === undefined || from === to || !(from > 0)) return false
  if (delays.test(key)) return to <= from / 2
  if (bounds.test(key)) return to >= from * 10 || to === 0
  return money.test(key) && (to === 0 || to >= from * 5 || to <= from / 5)
}
