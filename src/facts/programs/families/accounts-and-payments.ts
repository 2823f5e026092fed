import { byVerb } from '../deeds/deeds.ts'
import { type Judge, matchesTable, readLook, type Table } from '../looks/look.ts'
import type { Family } from '../program.ts'
import { writesMessage } from './code-hosting.ts'

const auth0Table: Table = {
  options: 'tenant +debug +no-color +no-input +json +csv',
  lines: `
    apps|apis|roles|rules|orgs|organizations|actions|users|logs|domains|quickstarts|tenants|connections|clients|forms|flows list|ls|show|search|get
    logs tail|list
    logs streams list|ls|show
    actions diff
    actions versions|triggers|modules list|ls|show|get
    apis scopes list|ls
    users roles|blocks list|ls|show
    users search|search-by-email
    roles permissions list|ls
    orgs|organizations members|roles|invitations|connections list|ls|show
    orgs|organizations roles members list|ls
    quickstarts list|ls
    email templates|provider show|list|ls
    domains default show
    branding show
    branding domains|templates|texts|emails show|list|ls
    universal-login show
    universal-login templates|prompts show|list|ls
    protection bot-detection|breached-password-detection|bpd|brute-force-protection|bfp|suspicious-ip-throttling|sit show|ls|list
    protection suspicious-ip-throttling|sit ips check
    attack-protection * show
    tenant-settings show
    network-acl|network-acls|event-streams|phone|custom-domains|token-exchange list|ls|show
    phone provider list|ls|show
    event-streams stats|deliveries
    apps session-transfer show|list
    completion|help|version`,
}

/** Judges Auth0's command line, whose `api` takes the method as an operand. */
const judgeAuth0: Judge = (look) => {
  if (readLook(look.args, 'tenant').operands[0]?.value !== 'api') return matchesTable(look, auth0Table)
  const { names, operands, unknown } = readLook(look.args, 'tenant q query d data')
  return (
    !unknown &&
    !/^(?:post|put|patch|delete)$/i.test(operands[1]?.value ?? '') &&
    !names.some((name) => name === 'd' || name === 'data')
  )
}

const programs: Family['programs'] = {
  // Identity
  auth0: {
    does: {
      says: {
        api: { kind: 'change', object: 'what is at', names: 'last' },
      },
      valued: 'tenant connection-id client-id user-id',
      byVerb: 'never',
      nouns: 'logs login test',
      verbs: 'block',
      never: [
        'apps|apis|users|roles|rules|actions|orgs|connections|domains|attack-protection|scopes delete|rm',
        'tenants remove',
        'quickstarts remove',
        'api delete',
        'users blocks remove',
        'terraform destroy',
        'logs streams delete',
      ],
      work: ['api patch|put'],
      harmless: ['logout'],
    },
    looks: judgeAuth0,
    namesSecrets: true,
  },
  okta: { does: { ...byVerb, never: ['users deactivate', 'apps delete', 'apps deactivate'] } },
  'clerk workos stytch fusionauth fga msgraph mgc duo launchdarkly ldc devcycle posthog adyen plaid revenuecat sendgrid mailgun postmark resend sparkpost ses mailjet brevo loops courier novu onesignal plivo discord netsuite':
    { does: byVerb },
  kcadm: {
    does: {
      says: {
        delete: { kind: 'delete', object: 'what is at' },
        'remove-roles': { kind: 'revoke', object: 'roles of a user', names: 'none' },
        'set-password': { kind: 'overwrite', object: 'the password of a user', thing: 'secret', names: 'none' },
        update: { kind: 'change', object: 'what is at' },
      },
      never: ['delete', 'remove-roles', 'set-password'],
      work: ['update'],
      valued: 'r s q',
    },
  },
  kc: { does: { work: ['import --override=true'] } },
  ory: { does: { never: ['delete *', 'revoke *'], work: ['update *'] } },
  kratos: { does: { never: ['delete *', 'identities delete', 'cleanup sql'], work: ['migrate sql'] } },
  keto: { does: { never: ['relation-tuple delete|delete-all', 'migrate down'], work: ['migrate up'] } },
  authelia: { does: { work: ['storage *'] } },
  ldapdelete: {
    does: {
      kind: 'delete',
      object: 'entry',
      thing: 'account',
      trial: '-n',
      flags: 'x',
      never: [''],
      trials: 'n',
      hIsNoHelp: true,
    },
  },
  ldapmodify: {
    does: {
      kind: 'change',
      object: 'entries of the directory',
      names: 'none',
      thing: 'account',
      trial: '-n',
      work: [''],
      trials: 'n',
      hIsNoHelp: true,
    },
  },
  ldapmodrdn: {
    does: {
      kind: 'change',
      object: 'entry',
      names: 'first',
      thing: 'account',
      trial: '-n',
      work: [''],
      trials: 'n',
      hIsNoHelp: true,
    },
  },
  ldappasswd: {
    does: {
      kind: 'overwrite',
      object: 'the password of',
      names: 'last',
      thing: 'secret',
      work: [''],
      hIsNoHelp: true,
    },
  },
  slapadd: {
    does: { kind: 'overwrite', object: 'entries of the directory', names: 'none', thing: 'account', work: [''] },
  },
  ipa: {
    does: {
      never: [
        'user-del|group-del|host-del|service-del|role-del|dnszone-del|dnsrecord-del|sudorule-del|hbacrule-del|*-del|*-remove',
      ],
      work: ['*-disable', '*-remove-*', 'vault-*'],
    },
  },
  dsidm: { does: { never: ['* * delete', '* * * delete'] } },
  dsctl: { does: { never: ['* remove', '* db2index --delete'], work: ['* stop', '* bak2db|ldif2db'] } },
  dsconf: {
    does: {
      never: ['* backend delete', '* backend suffix delete', '* replication disable|delete*'],
      work: ['* plugin * disable'],
    },
  },
  dsrm: { does: { kind: 'delete', object: 'entry', thing: 'account', never: [''] } },
  gyb: {
    does: {
      never: ['--action=purge|--action=purge-labels'],
      work: ['--action=restore'],
      valued: 'action email search',
    },
  },
  // Feature flags
  ldcli: {
    does: {
      ...byVerb,
      nouns: 'login',
      valued: 'access-token base-uri flag flag-key environment project',
      never: ['flags|projects|environments|members|segments|teams|metrics|webhooks|ai-configs delete', 'flags archive'],
      says: { 'flags toggle-*': { kind: 'change', object: 'flag', names: '--flag|--flag-key' } },
      work: ['flags toggle-*', 'flags update', 'environments reset-sdk-key|reset-mobile-key'],
      harmless: ['config --unset', 'dev-server *'],
    },
  },
  splitctl: { does: { ...byVerb, verbs: 'kill archive' } },
  unleash: { does: { ...byVerb, verbs: 'archive', work: ['feature|features|toggle enable|disable|on|off'] } },
  'unleash-cli flagsmith growthbook statsig siggy eppo optimizely mailchimp launchdarkly-cli split-cli posthog-cli': {
    does: { ...byVerb, verbs: 'archive' },
  },
  flipt: {
    does: { ...byVerb, never: ['import --drop'], work: ['import', 'migrate'], verbs: 'down', nouns: 'evaluate' },
  },
  configcat: { does: { ...byVerb, valued: 'c e f', nouns: 'scan', verbs: 'rm' } },
  // Payments
  stripe: {
    does: {
      namesAreIds: true,
      says: {
        delete: { kind: 'delete', object: 'what is at' },
        '* cancel': { kind: 'stop' },
        'invoices void_invoice': { kind: 'stop', object: 'invoice', thing: 'money' },
        'invoices mark_uncollectible': { kind: 'change', object: 'invoice', thing: 'money' },
        'accounts reject': { kind: 'stop', object: 'account' },
        'payouts reverse': { kind: 'rollback', object: 'payout', thing: 'money' },
        'api_keys roll': { kind: 'overwrite', object: 'key' },
        'customers delete_discount': { kind: 'delete', object: 'discount of', thing: 'money' },
        'refunds create': { kind: 'pay', object: 'refund of', thing: 'money', names: '--charge|--payment-intent' },
        '* create': { kind: 'pay', thing: 'money', names: 'none' },
        disputes: { kind: 'stop', object: 'dispute', thing: 'money' },
        post: { kind: 'change', object: 'what is at', thing: 'money' },
      },
      valued: 'c d p data param expand limit stripe-account stripe-version project-name idempotency i e s',
      flags: 'live confirm show-headers',
      byVerb: 'never',
      nouns: 'logs events test_helpers',
      verbs: 'cancel void reverse expire deactivate detach_payment_method',
      never: [
        'delete',
        'subscriptions|payment_intents|setup_intents|subscription_schedules cancel',
        'invoices void_invoice|mark_uncollectible|delete',
        'accounts reject|delete',
        'payouts cancel|reverse',
        'test_clocks delete',
        'api_keys expire|roll',
        'webhook_endpoints delete',
        'customers delete|delete_discount',
        'refunds cancel',
        'issuing cards deactivate',
        'radar value_lists delete',
      ],
      work: [
        'refunds create',
        'transfers create',
        'payouts create',
        'charges create --live',
        'disputes close',
        'transfer_reversals create',
        'post --live',
        'payment_methods detach',
      ],
      harmless: ['listen', 'trigger', 'logout', 'fixtures'],
    },
    looks: 'version',
  },
  braintree: { does: { ...byVerb, verbs: 'cancel void refund' } },
  square: { does: { ...byVerb, verbs: 'cancel disable' } },
  paypal: { does: { ...byVerb, verbs: 'cancel refund void' } },
  'paddle lemonsqueezy': { does: { ...byVerb, verbs: 'cancel archive' } },
  'chargebee razorpay': { does: { ...byVerb, verbs: 'cancel' } },
  recurly: { does: { ...byVerb, verbs: 'cancel terminate' } },
  knock: { does: { ...byVerb, nouns: 'workflow commit', verbs: 'archive' } },
  vonage: { does: { ...byVerb, never: ['apps:delete|numbers:cancel|jwt:delete', 'numbers cancel', 'apps delete'] } },
  nexmo: { does: { never: ['app:delete|number:cancel|link:delete|unlink:*|ad|nc'] } },
  zapier: {
    does: {
      never: ['delete:*', 'deprecate', 'users:remove|team:remove', 'delete *', 'env:unset'],
      work: ['promote', 'migrate'],
    },
  },
  hs: {
    does: {
      ...byVerb,
      never: [
        'remove',
        'filemanager delete',
        'hubdb delete|clear',
        'secret|secrets delete',
        'cms delete',
        'project delete',
        'custom-object schema delete',
        'sandbox|sandboxes delete',
        'schemas delete',
        'function delete',
      ],
      harmless: ['accounts remove|clean', 'account remove|clean', 'auth'],
    },
  },
  sf: {
    does: {
      says: {
        'org delete': { kind: 'delete', object: 'trial organization', names: '-o|--target-org' },
        'data delete|bulk': { kind: 'delete', object: 'records', thing: 'data', names: '-s|--sobject' },
        'data update|upsert': { kind: 'change', object: 'records', thing: 'data', names: '-s|--sobject' },
        'project delete': { kind: 'delete', object: 'source of the organization', names: 'none' },
        'package version promote': {
          kind: 'publish',
          object: 'version of the package',
          names: 'none',
          thing: 'package',
        },
        package: { kind: 'delete', object: 'package', thing: 'package', names: '-p|--package' },
        apex: { kind: 'change', object: 'data of the organization', thing: 'data', names: 'none' },
        'project deploy': { kind: 'deploy', object: 'the project', names: 'none', trial: '--dry-run' },
      },
      valued: 'o target-org s sobject i record-id f file',
      never: [
        'data delete *',
        'org delete *',
        'project delete source',
        'force:source:delete',
        'package delete|uninstall',
        'package version delete',
        'org delete sandbox',
        'apex run',
      ],
      work: [
        'project deploy start',
        'data update *',
        'data upsert *',
        'data bulk delete|harddelete',
        'package version promote',
      ],
      harmless: ['project deploy start --dry-run', 'org logout', 'alias unset', 'config unset'],
    },
  },
  sfdx: {
    does: {
      never: [
        'force:data:record:delete|force:data:bulk:delete|force:org:delete|force:source:delete|force:package:uninstall|force:package:delete|force:mdapi:delete',
        'data:delete:*|org:delete:*|force:data:tree:delete',
      ],
      work: ['force:source:deploy|force:mdapi:deploy|force:source:push', 'force:apex:execute'],
    },
  },
  suitecloud: {
    does: { kind: 'deploy', object: 'the project', names: 'none', work: ['project:deploy', 'object:update'] },
  },
  twilio: {
    message: writesMessage,
    does: {
      also: [
        {
          kind: 'send',
          thing: 'message',
          names: '--to',
          work: ['api:core:messages:create', 'api:core:calls:create', 'messages:create', 'email:send'],
        },
      ],
      valued: 'p o sid account-sid service-sid l properties',
      never: ['api:*:remove|api:*:delete', 'serverless:environment:delete|serverless:list:delete'],
      byVerb: 'never',
      work: ['api:core:accounts:update', 'phone-numbers:update'],
      harmless: ['profiles:remove', 'plugins:remove', 'plugins:uninstall', 'config:*'],
    },
  },
  slack: {
    message: writesMessage,
    does: {
      ...byVerb,
      nouns: 'triggers',
      never: [
        'app delete|uninstall',
        'datastore delete|bulk-delete',
        'env remove',
        'collaborator remove',
        'trigger delete',
        'external-auth remove',
        'uninstall',
        'delete',
      ],
      harmless: ['logout', 'auth logout'],
    },
  },
}

export const accountsAndPayments: Family = {
  area: 'accounts-and-payments',
  programs,
  examples: {
    'auth0 apps delete abc --force': 'deletes app `abc`, for good',
    'auth0 users delete "auth0|1"': 'deletes user `auth0|1`, for good',
    'ldcli flags delete --project p --flag f': 'deletes flag `f`, for good',
    'unleash feature delete checkout': 'deletes feature `checkout`, for good',
    'flipt flag delete checkout': 'deletes flag `checkout`, for good',
    'stripe products delete prod_1': 'deletes product `prod_1`, for good',
    'stripe subscriptions cancel sub_1': 'stops subscription `sub_1`',
    'stripe refunds create --charge ch_1': 'moves money by a refund of `ch_1`',
    'stripe transfers create --amount 5 --destination acct_1': 'moves money by a transfer',
    'stripe delete /v1/customers/cus_1': 'deletes what is at `/v1/customers/cus_1`, for good',
    'stripe customers list': '',
    'twilio api:core:incoming-phone-numbers:remove --sid PN1': 'deletes an incoming phone number, for good',
    'ldapdelete -x cn=a,dc=example,dc=com': 'deletes entry `cn=a,dc=example,dc=com`, for good',
    'kcadm.sh delete users/1 -r shop': 'deletes what is at `users/1`, for good',
    'sf org delete sandbox --target-org live':
      'deletes trial organization `live` and everything in it, for good, in production',
    'sf apex run -f a.apex': 'changes data of the organization',
    'ory delete identity 1': 'deletes `identity` and `1`, for good',
    'ipa user-del alice': 'deletes user `alice`, for good',
    'hs project delete shop': 'deletes project `shop` and everything in it, for good',
    'slack app delete': 'deletes an app, for good',
    'zapier delete:integration': 'deletes an integration, for good',
    'suitecloud object:update': 'deploys the project',
  },
}
