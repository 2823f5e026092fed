import type { ImpactArea, ImpactThing } from '../../../model/impact.ts'
import { hostOf } from '../../../model/hosts.ts'
import { namesOneOf } from '../../../model/place-names.ts'

/** Systems in which others live or work. */
interface System {
  /** What a change changes, in words. */
  readonly object: string
  readonly thing: ImpactThing
  readonly area: ImpactArea
  /** Labels of hosts, separated by blanks. */
  readonly names: string
  /** Things that count for others at once when they are made anew. */
  readonly made: string
}

const systems: readonly System[] = [
  {
    object: 'what customers pay',
    thing: 'money',
    area: 'accounts-and-payments',
    names:
      'stripe paypal square squareup adyen braintree mollie paddle chargebee recurly quickbooks xero shopify myshopify woocommerce magento bigcommerce lemonsqueezy wise mercury ramp brex razorpay plaid',
    made: 'price coupon discount promotion invoice subscription payout link refund order',
  },
  {
    object: 'who is on duty, or who somebody is',
    thing: 'account',
    area: 'accounts-and-payments',
    names:
      'pagerduty opsgenie victorops okta auth0 entra onelogin workday bamboohr personio gusto rippling deel keycloak',
    made: 'override user rule policy role',
  },
  {
    object: 'what customers get or are asked',
    thing: 'message',
    area: 'outgoing-messages',
    names:
      'hubspot hubapi salesforce intercom zendesk freshdesk mailchimp sendgrid klaviyo customerio braze twilio postmark resend mailgun',
    made: 'campaign broadcast message email call sms',
  },
  {
    object: 'what runs, and who watches it',
    thing: 'infrastructure',
    area: 'monitoring',
    names:
      'datadog datadoghq newrelic grafana honeycomb cloudflare fastly akamai route53 launchdarkly statsig statsigapi configcat unleash flagsmith argocd heroku consul nomad vault homeassistant hass home',
    made: 'downtime silence override',
  },
]

/** Ends of paths to which a search, a measure or an event is posted. */
const reads =
  /\/(?:search|query|queries|graphql|list|lookup|validate|preview|events?|track|identify|metrics|series|logs|input|intake|evaluate|tokens?|introspect|annotations)\/?$/i

const trials =
  'staging stage stg dev development preview previews test testing tests sandbox qa uat local localhost demo review emulator e2e'.split(
    ' ',
  )

/**
 * Returns the system at which one of several addresses is, unless what is sent there is for a try, or changes nothing.
 *
 * @param method `POST` at a list makes something anew, which counts where others get or pay it at once
 */
export function systemAt(urls: readonly string[], method: string): System | undefined {
  for (const url of urls) {
    const path = url.split(/[?#]/, 1)[0] ?? ''
    if (namesOneOf(url, trials) || reads.test(path)) continue
    const labels = hostOf(url).split('.').slice(0, -1)
    const found = systems.find(({ names }) => labels.some((label) => names.split(' ').includes(label)))
    if (found === undefined) continue
    const list = method === 'POST' ? /\/([a-z_-]+)s\/?$/i.exec(path)?.[1] : undefined
    if (list === undefined || found.made.split(' ').includes(list.toLowerCase())) return found
  }
  return undefined
}

/** True for a key of an account for tries, or the variable with it. */
export const namesTestKey = (text: string): boolean =>
  /\b[sr]k_test_|_(?:TEST|SANDBOX|STAGING)(?:_|\b)|\b(?:TEST|SANDBOX|STAGING)_/.test(text)
