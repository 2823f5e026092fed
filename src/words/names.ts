/** What names, and what sentences, say of things and people by their words. */
import { unknownPart } from '../model/shell.ts'
import { isOneOf } from './loose-line.ts'

/** More of a name is not said in a reason, in UTF-16 units: its end tells it from others. */
const nameUnitsMax = 80

/** Returns a name of a call as a reason says it: between backquotes, with `…` for what is not known. */
export function quotedName(name: string): string {
  const text = name.replaceAll(unknownPart, '…').replaceAll('`', "'").replaceAll(/\s+/g, ' ')
  return `\`${text.length > nameUnitsMax ? `…${text.slice(-nameUnitsMax)}` : text}\``
}

/** Splits a tool's name at underscores, hyphens and capitals. */
export const toolWords = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')

const trials =
  'staging stage stg dev development preview previews test testing tests sandbox qa uat demo review emulator e2e'

/** Returns the words of a name, without the numbers of machines: `prod` and `web` of `prod1-web`. */
export const tokensOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((token) => token.replace(/(?<=[a-z])\d+$/, ''))

/** True if one of these words is part of a name. */
export const namesOneOf = (text: string, words: readonly string[]): boolean =>
  tokensOf(text).some((token) => words.includes(token))

/** True for a word by which a name says that nobody depends on a place. */
export const isOfTrials = (token: string): boolean => isOneOf(token, trials)

/** True if a name says that it is of a place where nobody's work depends on it. */
export const namesTrial = (text: string): boolean =>
  tokensOf(text).some((token) => isOfTrials(token) || token === 'local' || token === 'localhost')

/** Names of variables that hold what must not be known. */
const secretName =
  /(?:^|_)(?:secrets?|token|passw(?:or)?d|passwd|pass|passphrase|api_?key|apikey|access_?key(?:_id)?|secret_?key|private_?key|signing_?key|encryption_?key|master_?key|service_?key|account_?key|ssh_?key|deploy_?key|auth_?key|credentials?|creds|pat|jwt|cookie|dsn|database_url|db_url|redis_url|mongo(?:db)?_ur[il]|connection_?string|conn_?str|webhook_url)(?:$|_(?:prod|production|dev|test|staging|value|1|2)$)/i

/** True for the name of a variable that says that it holds a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name)

/** A word of a name whose value may be a secret. */
const telling =
  /secret|token|pass|pwd|key|cred|private|auth|dsn|conn|database|(?:^|_)db|redis|mongo|amqp|kafka|smtp|sentry|webhook|cert|kubeconfig|salt|seed|sign/i

/** True for a name whose value may be a secret. */
export const soundsSecret = (name: string): boolean => telling.test(name)

/** Sentences that take the person out, and options that do. */
const leavingOut =
  /\b(?:without|never|do not|don't|no need to|instead of)\s+(?:\w+\s+){0,3}(?:ask\w*|confirm\w*|approv\w*|permission|mention\w*|tell\w*)|\b(?:pre-?approved|auto-?approve)|--no-verify|--dangerously|skip-permissions|\b(?:ignore|bypass|disable|work around|overrid\w*)\s+(?:\w+\s+){0,4}(?:hooks?|gates?|guards?|warnings?|permissions?|system instructions|safety)|\bapprove\s+(?:\w+\s+){0,3}(?:prompts?|tools?|requests?)/i

/** True for a text that tells an agent to go on without the person: unasked, unseen, or past what guards it. */
export const leavesPersonOut = (text: string): boolean => leavingOut.test(text)
