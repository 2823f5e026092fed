/** Patterns of tokens with a fixed format. */
const looks: readonly (readonly [what: string, look: RegExp])[] = [
  ['an AWS key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36,251}\b/],
  ['a GitHub token', /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b/],
  ['a GitLab token', /\bgl(?:pat|ptt|rt|dt|cbt|ft|soat)-[\w-]{20,}\b/],
  ['a Slack token', /\bxox[abeoprs]-[\w-]{20,}\b/],
  ['the address of a Slack webhook', /\bhooks\.slack\.com\/services\/T\w{8,}\/B\w{8,}\/\w{24}\b/],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{20,}\b/],
  ['an Anthropic key', /\bsk-ant-[\w-]{40,}/],
  ['an OpenAI key', /\bsk-(?:proj|svcacct|admin)-[\w-]{40,}/],
  ['an OpenAI key', /\bsk-[A-Za-z0-9]{48}\b/],
  ['a Google key', /\bAIza[\w-]{35}(?![\w-])/],
  ['a Google secret', /\bGOCSPX-[\w-]{28}(?![\w-])/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a PyPI token', /\bpypi-AgE[\w-]{50,}/],
  ['a SendGrid token', /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/],
  ['a DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{64}\b/],
  ['a Hugging Face token', /\bhf_[A-Za-z0-9]{34,}\b/],
  ['a Telegram token', /\b\d{8,10}:AA[\w-]{33}(?![\w-])/],
  ['a Shopify token', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/],
  ['a Vault token', /\bhv[sbr]\.[\w-]{24,}/],
  ['a Databricks token', /\bdapi[a-f0-9]{32}\b/],
  ['a LangSmith key', /\blsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\b/],
  ['a Groq key', /\bgsk_[A-Za-z0-9]{48,}\b/],
  ['an xAI key', /\bxai-[A-Za-z0-9]{80}\b/],
  ['a key of age', /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/],
]
const keyBlock =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|[\s"'+,])*(?:[\w-]+: [^\n]*\n+)*([A-Za-z0-9+/=]{40,})/

/** Words of texts that only show how a token looks. */
const placeholder = /example|sample|placeholder|dummy|fake|your|test|xxx|000000|123456|abcdef|redacted|changeme/i
/** A made-up one repeats itself: a real one of its length has more different characters. */
const fewCharacters = 10

/** A value under a name that says that it is secret. */
const named =
  /\b(?:[a-z\d]+[_-])*(?:secret|token|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key)(?:[_-][a-z\d]+)*["']?\s*(?:=|:|=>)\s*["']?([A-Za-z\d+/=_-]{20,200})(?![\w.(])/i
/** Real ones are random: small and capital letters and digits, mixed, with few repetitions. */
const isRandom = (value: string) =>
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  (value.match(/\d/g)?.length ?? 0) >= 3 &&
  new Set(value).size >= 15 &&
  !/[_-].*[_-]|\/.*\//.test(value)

/** What every pattern here has, so that most texts are done with at one look. */
const longRun = /[\w+/=-]{20}/

/** Describes a key or token in a text that looks real. */
export function literalSecretIn(text: string): string | undefined {
  if (!longRun.test(text)) return undefined
  for (const [, body = ''] of text.matchAll(new RegExp(keyBlock, 'g'))) if (!isMadeUp(body)) return 'a private key'
  const found = looks.find(([, look]) => isFound(look, text))?.[0]
  if (found !== undefined) return found
  return [...text.matchAll(new RegExp(named, 'gi'))].some(([, value = '']) => isRandom(value) && !isMadeUp(value))
    ? 'what looks like a secret'
    : undefined
}

const isMadeUp = (found: string) => placeholder.test(found) || new Set(found).size < fewCharacters

/** Most texts have none: all of them are only looked for where there is one. */
const isFound = (look: RegExp, text: string) =>
  look.test(text) && [...text.matchAll(new RegExp(look, 'g'))].some(([found]) => !isMadeUp(found))
