/**
 * What secrets look like in text, each with the service whose form it is. Masking is for our own records and traces; it
 * is a courtesy to the reader of a log, not a boundary.
 *
 * INVARIANT: each takes time in proportion to the text, whatever it is: it may be a command of megabytes. What repeats
 * without a bound must not be able to start anew inside of itself.
 */
const secrets: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, // AWS access key ids
  /\bgh[pousr]_[A-Za-z0-9]{36,}\b/g, // GitHub tokens
  /\bgithub_pat_[A-Za-z0-9_]{22,}\b/g,
  /\bglpat-[\w-]{20,}/g, // GitLab
  /\bsk-[A-Za-z0-9_-]{20,}/g, // OpenAI, Anthropic
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g, // Slack
  /\bAIza[\w-]{35}\b/g, // Google API keys
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\beyJ(?:(?!-eyJ)[\w-]){8,}\.[\w-]{8,}\.[\w-]{8,}/g, // JSON web tokens
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
]

/** Values that are secret for where they stand: after `password=`, in an Authorization header, in a URL's user part. */
const secretPlaces: readonly RegExp[] = [
  /((?:pass(?:word|wd)?|secret|token|api[_-]?key|access[_-]?key)["']?\s*[=:]\s*["']?)[^\s"'&;]{4,}/gi,
  /(\bauthorization["']?\s*:\s*["']?(?:bearer|basic|token)\s+)[^\s"']+/gi,
  /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/gi,
]

/** The text with everything that looks like a secret replaced by `***`. */
export function maskSecrets(text: string): string {
  let masked = text
  for (const pattern of secrets) masked = masked.replace(pattern, '***')
  for (const pattern of secretPlaces) masked = masked.replace(pattern, '$1***')
  return masked
}
