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
