/** How tokens look whose makers gave them a look of their own. */
const looks: readonly (readonly [what: string, look: RegExp])[] = [
  ['a key of AWS', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a token of GitHub', /\bgh[pousr]_[A-Za-z0-9]{36,251}\b/],
  ['a token of GitHub', /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b/],
  ['a token of GitLab', /\bgl(?:pat|ptt|rt|dt|cbt|ft|soat)-[\w-]{20,}\b/],
  ['a token of Slack', /\bxox[abeoprs]-[\w-]{20,}\b/],
  ['an address of a Slack hook', /\bhooks\.slack\.com\/services\/T\w{8,}\/B\w{8,}\/\w{24}\b/],
  ['a key of Stripe', /\b[rs]k_live_[A-Za-z0-9]{20,}\b/],
  ['a key of Anthropic', /\bsk-ant-[\w-]{40,}/],
  ['a key of OpenAI', /\bsk-(?:proj|svcacct|admin)-[\w-]{40,}/],
  ['a key of OpenAI', /\bsk-[A-Za-z0-9]{48}\b/],
  ['a key of Google', /\bAIza[\w-]{35}(?![\w-])/],
  ['a secret of Google', /\bGOCSPX-[\w-]{28}(?![\w-])/],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a token of PyPI', /\bpypi-AgE[\w-]{50,}/],
  ['a token of SendGrid', /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/],
  ['a token of DigitalOcean', /\bdo[opr]_v1_[a-f0-9]{64}\b/],
  ['a token of Hugging Face', /\bhf_[A-Za-z0-9]{34,}\b/],
  ['a token of Telegram', /\b\d{8,10}:AA[\w-]{33}(?![\w-])/],
  ['a token of Shopify', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/],
  ['a token of Vault', /\bhv[sbr]\.[\w-]{24,}/],
  ['a token of Databricks', /\bdapi[a-f0-9]{32}\b/],
  ['a key of age', /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/],
]
const keyBlock =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|[\s"'+,])*(?:[\w-]+: [^\n]*\n+)*([A-Za-z0-9+/=]{40,})/

/** Words of texts that only show how a token looks. */
const placeholder = /example|sample|placeholder|dummy|fake|your|test|xxx|000000|123456|abcdef|redacted|changeme/i
/** A made-up one repeats itself: a real one of its length has more different characters. */
const fewCharacters = 10

/** What a text has that looks like a real key or token, in words. */
export function literalSecretIn(text: string): string | undefined {
  for (const [, body = ''] of text.matchAll(new RegExp(keyBlock, 'g'))) if (!isMadeUp(body)) return 'a private key'
  return looks.find(([, look]) => isFound(look, text))?.[0]
}

const isMadeUp = (found: string) => placeholder.test(found) || new Set(found).size < fewCharacters

/** Most texts have none: all of them are only looked for where there is one. */
const isFound = (look: RegExp, text: string) =>
  look.test(text) && [...text.matchAll(new RegExp(look, 'g'))].some(([found]) => !isMadeUp(found))
