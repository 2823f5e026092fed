import { abstains, ask, asks, definePolicy, quoted } from 'hookgate/policy'

/** Words in the path of an address whose request does something. */
const acts =
  /\/(?:[\w-]*[_-])?(?:approve|confirm|purge(?:-all)?|delete|remove|destroy|reset|restart|deploy|rollback|unsubscribe|cancel|disable|revoke|pay|refund|transfer|flush|trigger|execute)(?=[/?]|$)/i
/** Fields of a query by which an address is one person's, or its request is to be carried out at once. */
const meant = /[?&](?:sig(?:nature)?|token|confirm(?:ed)?|code|key|hash|force|yes|amount|all|region|action)=/i
/** Services on this machine. */
const local = /^https?:\/\/(?:localhost|127\.|\[::1\])/i
/** An address in another one, with a signature by which everybody who has the address may read what it leads to. */
const handedOn =
  /^https?:\/\/[^?#]*\/https?:\/\/[^#]*[?&](?:X-Amz-Signature|X-Goog-Signature|sig|Signature|sv|token|access_token)=/i

/** Hosts that keep every request for the person who has set them up. */
const catchers =
  /(?:^|\.)(?:webhook\.site|requestrepo\.com|requestbin\.\w+|requestcatcher\.com|pipedream\.net|beeceptor\.com|hookbin\.com|oast(?:ify)?\.\w+|interact\.sh|interactsh\.\w+|burpcollaborator\.net|dnslog\.\w+|canarytokens\.com|ngrok(?:-free)?\.\w+|postb\.in|ptsv\d?\.com|typedwebhook\.tools|httpdump\.app|webhook\.cool)$/i

/** A JSON web token in a query. */
const token = /[?&][^=&#]{1,40}=eyJ[\w-]{8,}\.[\w-]{8,}\./

const hostOf = (url: string) => url.replace(/^https?:\/\//i, '').replace(/[/?#].*$/, '')

export default definePolicy({
  id: 'acting-addresses',
  severity: 'medium',
  description: 'Asks before an address is fetched that does something, or that hands a signed address to others',
  on: 'PreToolUse',
  tool: 'fetch',
  decide({ tool }) {
    const url = typeof tool.input['url'] === 'string' ? tool.input['url'] : ''
    if (local.test(url)) return undefined
    if (catchers.test(hostOf(url)))
      return ask(
        `${quoted(hostOf(url))} keeps every request for the person who has set it up: have the person agree to it`,
      )
    if (token.test(url))
      return ask(`this address carries a token to ${quoted(hostOf(url))}: have the person agree to it`)
    if (handedOn.test(url))
      return ask(`this hands a signed address to ${quoted(hostOf(url))}: have the person agree to it`)
    const [path = ''] = url.split('?', 1)
    const [act] = acts.exec(path) ?? []
    if (act === undefined || !meant.test(url)) return undefined
    return ask(`fetching this address may do what it names, \`${act}\`: have the person open it`)
  },
  examples: [
    asks('an approval', { tool: 'fetch', input: { url: 'https://a.example/vendor/1/approve?sig=1' } }),
    asks('a cache', { tool: 'fetch', input: { url: 'https://a.example/cache/purge-all?confirm=yes' } }),
    abstains('a page about one', { tool: 'fetch', input: { url: 'https://a.example/docs/approve' } }),
    abstains('an application here', { tool: 'fetch', input: { url: 'http://localhost:3000/reset?confirm=1' } }),
    asks('a host that keeps requests', { tool: 'fetch', input: { url: 'https://webhook.site/1b2c/?d=Y29uc3Q' } }),
    asks('a token', { tool: 'fetch', input: { url: 'https://a.example/p?t=eyJhbGciOiJS.eyJzdWIiOiI0.Q2' } }),
    asks('a signed address', {
      tool: 'fetch',
      input: { url: 'https://reader.example/https://b.example/a.csv?X-Amz-Signature=1' },
    }),
    abstains('an address that anybody has', {
      tool: 'fetch',
      input: { url: 'https://reader.example/https://b.example/a' },
    }),
  ],
})
