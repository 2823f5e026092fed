/** How tokens look whose makers gave them a look of their own. */
const looks: readonly (readonly [what: string, look: RegExp])[] = [
  ['a key of AWS', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['a token of GitHub', /\bgh[pousr]_[A-Za-z0-9]{36,251}\b/g],
  ['a token of GitHub', /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b/g],
  ['a token of GitLab', /\bgl(?:pat|ptt|rt|dt|cbt|ft|soat)-[\w-]{20,}\b/g],
  ['a token of Slack', /\bxox[abeoprs]-[\w-]{20,}\b/g],
  ['an address of a Slack hook', /\bhooks\.slack\.com\/services\/T\w{8,}\/B\w{8,}\/\w{24}\b/g],
  ['a key of Stripe', /\b[rs]k_live_[A-Za-z0-9]{20,}\b/g],
  ['a key of Anthropic', /\bsk-ant-[\w-]{40,}/g],
  ['a key of OpenAI', /\bsk-(?:proj|svcacct|admin)-[\w-]{40,}/g],
  ['a key of OpenAI', /\bsk-[A-Za-z0-9]{48}\b/g],
  ['a key of Google', /\bAIza[\w-]{35}(?![\w-])/g],
  ['a secret of Google', /\bGOCSPX-[\w-]{28}(?![\w-])/g],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['a token of PyPI', /\bpypi-AgE[\w-]{50,}/g],
  ['a token of SendGrid', /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g],
  ['a token of DigitalOcean', /\bdo[opr]_v1_[a-f0-9]{64}\b/g],
  ['a token of Hugging Face', /\bhf_[A-Za-z0-9]{34,}\b/g],
  ['a token of Telegram', /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g],
  ['a token of Shopify', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g],
  ['a token of Vault', /\bhv[sbr]\.[\w-]{24,}/g],
  ['a token of Databricks', /\bdapi[a-f0-9]{32}\b/g],
  ['a key of age', /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/g],
]
const keyBlock =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|[\s"'+,])*(?:[\w-]+: [^\n]*\n+)*([A-Za-z0-9+/=]{40,})/g

/** Words of texts that only show how a token looks. */
const placeholder = /example|sample|placeholder|dummy|fake|your|test|xxx|000000|123456|abcdef|redacted|changeme/i
/** A made-up one repeats itself: a real one of its length has more different characters. */
const fewCharacters = 10

/** What a text has that looks like a real key or token, in words. */
export function literalSecretIn(text: string): string | undefined {
  for (const [, body = ''] of text.matchAll(keyBlock)) if (!isMadeUp(body)) return 'a private key'
  return looks.find(([, look]) => [...text.matchAll(look)].some(([found]) => !isMadeUp(found)))?.[0]
}

const isMadeUp = (found: string) => placeholder.test(found) || new Set(found).size < fewCharacters
