import type { ImpactArea, ImpactThing } from '../../model/impact.ts'

/** Systems in which others live or work. */
export interface OutsideSystem {
  /** The thing that a request changes, in words. */
  readonly object: string
  readonly thing: ImpactThing
  /** The consequence of a change, in words. */
  readonly consequence: string
  readonly area: ImpactArea
  /** Labels of their hosts, and words of the names of MCP servers, separated by blanks. */
  readonly names: string
  /** Things that count for others at once when they are made anew. */
  readonly made: string
}

export const outsideSystems: readonly OutsideSystem[] = [
  {
    object: 'what customers pay',
    thing: 'money',
    consequence: 'by which customers pay',
    area: 'accounts-and-payments',
    names:
      'stripe paypal square squareup adyen braintree mollie paddle chargebee recurly quickbooks xero shopify myshopify woocommerce magento bigcommerce lemonsqueezy wise mercury ramp brex razorpay plaid',
    made: 'price coupon discount promotion invoice subscription payout link refund order',
  },
  {
    object: 'who is on duty, or who somebody is',
    thing: 'account',
    consequence: 'on which colleagues rely',
    area: 'accounts-and-payments',
    names:
      'pagerduty opsgenie victorops okta auth0 entra onelogin workday bamboohr personio gusto rippling deel keycloak',
    made: 'override user rule policy role',
  },
  {
    object: 'what customers get or are asked',
    thing: 'message',
    consequence: 'which customers see',
    area: 'outgoing-messages',
    names:
      'hubspot hubapi salesforce intercom zendesk freshdesk mailchimp sendgrid klaviyo customerio braze twilio postmark resend mailgun',
    made: 'campaign broadcast message email call sms',
  },
  {
    object: 'what runs, and who watches it',
    thing: 'infrastructure',
    consequence: 'on which others rely',
    area: 'monitoring',
    names:
      'datadog datadoghq newrelic grafana honeycomb cloudflare fastly akamai route53 launchdarkly statsig statsigapi configcat unleash flagsmith argocd heroku consul nomad vault homeassistant hass home',
    made: 'downtime silence override',
  },
]
