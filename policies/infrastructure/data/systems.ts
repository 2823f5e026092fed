import { hostOf } from '../hosts.ts'
import { namesTrial } from './targets.ts'

/** Systems in which others live or work. */
export interface System {
  /** What a change changes. */
  readonly what: string
  /** Names of MCP servers, and of hosts on the net. */
  readonly names: readonly string[]
  /** Things that count for others at once when they are made anew. */
  readonly made: readonly string[]
}

const system = (what: string, names: string, made: string): System => ({
  what,
  names: names.split(' '),
  made: made.split(' '),
})

export const systems = (): readonly System[] => [
  system(
    'what customers pay',
    'stripe paypal square squareup adyen braintree mollie paddle chargebee recurly quickbooks xero shopify myshopify woocommerce magento bigcommerce lemonsqueezy wise mercury ramp brex razorpay plaid',
    'price coupon discount promotion invoice subscription payout link refund order',
  ),
  system(
    'who is on duty, or who somebody is',
    'pagerduty opsgenie victorops okta auth0 entra onelogin workday bamboohr personio gusto rippling deel keycloak',
    'override user rule policy role',
  ),
  system(
    'what customers get or are asked',
    'hubspot hubapi salesforce intercom zendesk freshdesk mailchimp sendgrid klaviyo customerio braze twilio postmark resend mailgun',
    'campaign broadcast message email call sms',
  ),
  system(
    'what runs, and who watches it',
    'datadog datadoghq newrelic grafana honeycomb cloudflare fastly akamai route53 launchdarkly statsig statsigapi configcat unleash flagsmith argocd heroku consul nomad vault homeassistant hass home',
    'downtime silence override',
  ),
]

/** Ends of paths to which a search, a measure or an event is posted. */
const reads =
  /\/(?:search|query|queries|graphql|list|lookup|validate|preview|events?|track|identify|metrics|series|logs|input|intake|evaluate|tokens?|introspect|annotations)\/?$/i

/**
 * Returns the system at which one of several addresses is, unless what is sent there is for a try, or changes nothing.
 *
 * @param method `POST` at a list makes something anew, which counts where others get or pay it at once
 */
export function systemAt(urls: readonly string[], method: string): System | undefined {
  for (const url of urls) {
    const path = url.replace(/[?#].*$/, '')
    if (namesTrial(url) || reads.test(path)) continue
    const labels = hostOf(url).split('.').slice(0, -1)
    const found = systems().find(({ names }) => labels.some((label) => names.includes(label)))
    if (found === undefined) continue
    const list = method === 'POST' ? /\/([a-z_-]+)s\/?$/i.exec(path)?.[1] : undefined
    if (list === undefined || found.made.includes(list.toLowerCase())) return found
  }
  return undefined
}

/** True for a key of an account for tries, or the variable with it. */
export const namesTestKey = (text: string): boolean =>
  /\b[sr]k_test_|_(?:TEST|SANDBOX|STAGING)(?:_|\b)|\b(?:TEST|SANDBOX|STAGING)_/.test(text)
