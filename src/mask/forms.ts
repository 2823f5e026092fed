import { isAt, isDense, mask, type MaskReach, type SecretSeen } from './value.ts'

/**
 * What secrets look like wherever they stand, each with the service whose form it is.
 *
 * INVARIANT: each takes time in proportion to the text, whatever that is: it may be a command of megabytes. What
 * repeats without a bound must not be able to start anew inside of itself. A token extends over all letters and digits
 * that follow, so that none begins right behind one that was replaced.
 */

/** A pattern, and the service whose tokens it matches. */
type ServiceForm = readonly [pattern: string, service: string]

/** Beginnings that services have chosen so that their tokens can be recognized. */
const prefixes: readonly ServiceForm[] = [
  ['gh[pousr]_|github_pat_', 'GitHub'],
  ['gl(?:pat|dt|rt|ptt|cbt|imt|ft|soat|ffct|agent)-|gloas-', 'GitLab'],
  ['(?:xoxe\\.)?xox[abeprs]-|xapp-', 'Slack'],
  ['[rs]k_(?:live|test)_|whsec_', 'Stripe or Clerk'],
  ['sk-|gsk_|xai-|pplx-|tvly-|nvapi-|lsv2_', 'API'],
  ['dckr_(?:pat|oat)_', 'Docker Hub'],
  ['do[opr]_v1_', 'DigitalOcean'],
  ['pypi-Ag', 'PyPI'],
  ['rubygems_', 'RubyGems'],
  ['AIza|ya29\\.|GOCSPX-|1//0', 'Google'],
  ['shp(?:at|ca|pa|ss|ua)_', 'Shopify'],
  ['sq0(?:atp|csp)-|EAAA', 'Square'],
  ['ATBB', 'Bitbucket'],
  ['lin_(?:api|oauth)_', 'Linear'],
  ['ntn_', 'Notion'],
  ['nf[copu]_', 'Netlify'],
  ['vc[aikpr]_', 'Vercel'],
  ['fo1_', 'Fly.io'],
  ['sbp_|sb_secret_', 'Supabase'],
  ['pscale_(?:tkn|oauth|pw)_', 'PlanetScale'],
  ['napi_|rnd_', 'Neon or Render'],
  ['sntryu_', 'Sentry'],
  ['NRAK-|NRII-', 'New Relic'],
  ['glsa_', 'Grafana'],
  ['HRKU-', 'Heroku'],
  ['hv[brs]\\.', 'Vault'],
  ['dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[\\w-]{1,40}\\.)?', 'Doppler'],
  ['pul-', 'Pulumi'],
  ['phx_', 'PostHog'],
  ['PMAK-', 'Postman'],
  ['fig[do]_', 'Figma'],
  ['tskey-', 'Tailscale'],
  ['bkua_|CCIPAT_', 'Buildkite or CircleCI'],
  ['sq[apu]_', 'SonarQube'],
  ['sgp_', 'Sourcegraph'],
  ['xkeysib-', 'Brevo'],
]

const wholeForms: readonly ServiceForm[] = [
  ['(?:fm[12][ar]?_|sntrys_|glc_|ops_)[\\w+/=-]{17,}', 'Fly.io, Sentry, Grafana or 1Password'],
  ['AT[AC]TT3[\\w-]{17,}(?:=\\w+)?', 'Atlassian'],
  ['dt0[cs]\\d\\d\\.[A-Z0-9]{8,}\\.[A-Z0-9]{17,}\\w*', 'Dynatrace'],
  ['(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}\\w*', 'AWS'],
  ['npm_[A-Za-z0-9]{36,}', 'npm'],
  ['hf_[A-Za-z0-9]{30,}|api_org_[A-Za-z0-9]{30,}', 'Hugging Face'],
  ['secret_[A-Za-z0-9]{43,}', 'Notion'],
  ['r8_[A-Za-z0-9]{37,}', 'Replicate'],
  ['dapi[0-9a-f]{32}[\\w-]*', 'Databricks'],
  ['cio[A-Za-z0-9]{32,}', 'crates.io'],
  ['key-[0-9a-f]{32}\\w*', 'Mailgun'],
  ['SK[0-9a-f]{32}\\w*', 'Twilio'],
  ['SG\\.[\\w-]{16,32}\\.[\\w-]{32,}', 'SendGrid'],
  ['pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}\\w*', 'Airtable'],
  ['sl\\.[\\w-]{100,}', 'Dropbox'],
  ['AGE-SECRET-KEY-1[A-Z0-9]{50,}\\w*', 'age'],
  ['v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,}\\w*', 'Cloudflare'],
  ['[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}', 'Discord'],
  ['eyJ(?:(?![-_]eyJ)[\\w-]){8,20000}\\.[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]{8,}(?:\\.[\\w-]{8,})?)?', 'JSON web'],
]

/** Forms that begin like any word, each with characters that it has to contain. */
const wordLikeForms: readonly (readonly [characters: string, ...ServiceForm])[] = [
  ['-us', '[0-9a-f]{32}-us\\d{1,2}\\w*', 'Mailchimp'],
  ['.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{40,}', 'Terraform Cloud'],
  [':AA', '(?<=(?<!\\d)\\d{8,10}:)AA[\\w-]{30,}', 'Telegram'],
  ['Q~', '[\\w.~-]{3}\\dQ~[\\w.~-]{31,}', 'Microsoft Entra'],
]

const atWordStart = (pattern: string) => new RegExp(`(?<![A-Za-z0-9])(?:${withoutStack(pattern)})`, 'g')
const beginnings = prefixes.map(([beginning]) => beginning).join('|')
const prefixed = `(?:${beginnings})(?=[\\w.-]{0,30}[A-Z\\d])[\\w-]{17,}`
const anyForm = atWordStart([prefixed, ...wholeForms.map(([form]) => form)].join('|'))
const services = [...prefixes, ...wholeForms, ...wordLikeForms.map(([, form, service]): ServiceForm => [form, service])]
const wordLike = wordLikeForms.map(([characters, form]) => ({ characters, form: atWordStart(form) }))

/** Returns whose token a masked value is, by its form; `undefined` if it has none. */
export const serviceOf = (value: string): string | undefined =>
  services.find(([form]) => new RegExp(`^(?:${form.replace('(?<=(?<!\\d)\\d{8,10}:)', '')})`).test(value))?.[1]

/** Matches private keys in the formats of PEM, OpenSSH, PGP and PuTTY, up to the end of a text that is cut. */
const keyBlock =
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)|(?<=Private-Lines: \d{1,4}(?:\s|\\{1,2}[nr]){1,4})[^\s\\*][\s\S]{3,}?(?:Private-MAC: \w*|$)/g

const keyCharacters = /[A-Za-z0-9+/]{4,}={0,2}/g
/** A line of a key's base64 has more. What is shorter is its last line, or a word. */
const keyLineMin = 20
const keyEnd = /(?:\s|\\[nr])*(?:-----END |Private-MAC: |$)/y

/**
 * Masks the lines of a private key, and leaves what else stands between its first and its last line: an agent can put
 * commands there. A short line counts only as the last one, behind another.
 */
function maskKeyLines(block: string, hidden: (value: string) => string): string {
  let hasLine = false
  return block.replace(keyCharacters, (run, at: number) => {
    const isLine = isDense(run) && (run.length >= keyLineMin || (hasLine && isAt(keyEnd, block, at + run.length)))
    hasLine ||= isLine
    return isLine ? hidden(run) : run
  })
}

/** No form is shorter, and most words are. */
const formCharactersMin = 20
const isOfForm = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.~:+/=-')
  isOfForm[character.charCodeAt(0)] = 1

/**
 * Masks the secrets that a text has in a known form. Looks for them only in runs of the characters that they consist
 * of: one that is long enough covers at least one of the places that are probed.
 */
export function maskForms(text: string, reach: MaskReach, seen?: SecretSeen): string {
  const hidden = (value: string) => {
    seen?.(value)
    return mask
  }
  const withoutBlocks =
    text.includes('Private-Lines: ') || text.includes('-----BEGIN ')
      ? text.replace(keyBlock, (block) => (reach === 'value' ? hidden(block) : maskKeyLines(block, hidden)))
      : text
  return maskRuns(withoutBlocks, hidden)
}

function maskRuns(text: string, hidden: (value: string) => string): string {
  let masked = ''
  let from = 0
  let probe = formCharactersMin - 1
  while (probe < text.length) {
    let start = probe
    let end = probe
    while (start > from && isOfForm[text.charCodeAt(start - 1)] === 1) start -= 1
    while (isOfForm[text.charCodeAt(end)] === 1) end += 1
    if (end > probe && end - start >= formCharactersMin) {
      masked += text.slice(from, start) + maskRun(text.slice(start, end), hidden)
      from = end
    }
    probe = end + formCharactersMin
  }
  return from === 0 ? text : masked + text.slice(from)
}

function maskRun(run: string, hidden: (value: string) => string): string {
  // Every form has one, and few paths have.
  if (!/[A-Z\d]/.test(run)) return run
  let masked = run.replace(anyForm, (value) => hidden(value))
  for (const { characters, form } of wordLike)
    if (run.includes(characters)) masked = masked.replace(form, (value) => hidden(value))
  return masked
}

/** Rewrites `[…]{9,}` to `[…]{9}[…]*`: V8 keeps a position for each character of the former, up to 64 MB of them. */
function withoutStack(pattern: string): string {
  return pattern.replaceAll(/(\[[^\]]+\])\{(\d+),\}/g, '$1{$2}$1*')
}
