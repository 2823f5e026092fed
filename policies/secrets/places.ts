import { tableOf } from 'hookgate/policy'
import { type Place, placesIn } from './place-list.ts'

const harmlessBesideKeys = [
  'config',
  'config.d',
  'conf.d',
  'known_hosts*',
  'authorized_keys*',
  'allowed_signers',
  '*.pub',
  '*.txt',
  '*.md',
  '*.sock',
  'agent*',
  'rc',
  'moduli',
]

const certificates = [
  '*.pub*',
  '*ca.*',
  'ca-*',
  'ca_*',
  'ca.*',
  '*cacert*',
  '*cert*',
  '*chain*',
  '*bundle*',
  '*root*.pem',
  '*public*',
  '*pubkey*',
  'dh*param*',
  '*csr*',
]

/** Keys that prove a person's identity. */
export const keys: readonly Place[] = [
  { at: '.ssh/**', but: harmlessBesideKeys },
  { at: '*.pem', but: certificates },
  { at: '*.key', but: ['*.pub.key', 'public.key', '*-public.key', '*_public.key', '*.pub*'] },
  { at: '.gnupg/**', but: ['gpg.conf', 'gpg-agent.conf', 'dirmngr.conf', 'pubring*', 'trustdb.gpg', '*.lock', 's.*'] },
  ...tableOf(
    placesIn,
    `
    id_rsa* id_dsa* id_ecdsa* id_ed25519* id_xmss* *_rsa *_ed25519 *_ecdsa google_compute_engine ssh_host_*_key
    *.p12 *.pfx *.jks *.keystore *.ppk *.p8 *.kdbx *.kdb *.agekey *.keytab secring.gpg .minisign/*.key .tsh/keys/**
    etc/ssl/private/** pki/tls/private/** letsencrypt/*/*/privkey* etc/wireguard/** sops/age/** .config/age/**
  `,
    ['*.pub*'],
  ),
]

/** Passwords and tokens that tools keep. */
export const credentials: readonly Place[] = tableOf(
  placesIn,
  `
  home/*/.npmrc users/*/.npmrc root/.npmrc ~/.npmrc .aws/credentials* .aws/sso/cache/** .aws/cli/cache/** gcloud/*credential* gcloud/access_tokens.db
  gcloud/legacy_credentials/** .boto .s3cfg .mc/config.json .azure/*token* .azure/service_principal*
  .azure/msal* .azure/accesstokens.json .kube/config* kubeconfig *.kubeconfig kubernetes/*.conf k3s/k3s.yaml
  .kube/cache/oidc-login/** .docker/config.json containers/auth.json .dockercfg .dockerconfigjson .netrc* _netrc
  .pgpass* pgpass.conf .my.cnf .mylogin.cnf .mongorc.js .rediscli_auth .pypirc .gem/credentials
  .cargo/credentials* .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties composer/auth.json
  .composer/auth.json .nuget/nuget/nuget.config .bundle/config .git-credentials* git/credentials gh/hosts.yml
  .config/hub glab-cli/config.yml tea/config.yml credentials.tfrc.json .terraformrc .vault-token* .vault_pass*
  .vault-password* vault_pass* .password-store/** .local/share/keyrings/** keychains/** *.keychain *.keychain-db
  kwalletd/** .config/op/** .op/config .1password/** bitwarden*/data.json lastpass/** .authy/** dashlane/**
  rclone/rclone.conf rclone.conf doctl/config.yaml netlify/config.json .netlify/config.json .vercel/auth.json
  .doppler/** .config/doppler/** .config/nuget/nuget.config opencode/auth.json .config/heroku/** .render/cli.yaml
  .config/hcloud/** .config/pypoetry/auth.toml io.datasette.llm/keys.json
  .config/flyctl/config.yml .config/turso/settings.json .config/planetscale/**
  com.vercel.cli/auth.json configstore/*.json .wrangler/config/* .cloudflared/*.json .fly/config.yml
  .huggingface/token huggingface/token huggingface/stored_tokens .kaggle/kaggle.json .databrickscfg
  .snowsql/config .snowflake/*.toml .dbt/profiles.yml stripe/config.toml .circleci/cli.yml .oci/config
  .bluemix/config.json hcloud/cli.toml .config/linode-cli scw/config.yaml ngrok/ngrok.yml .ngrok2/ngrok.yml
  .subversion/auth/** .smbcredentials .cifs* .irssi/config .claude/.credentials.json .codex/auth.json
  .gemini/oauth_creds.json github-copilot/*.json .sentryclirc .pulumi/credentials.json .heroku/credentials.json
  .railway/config.json .supabase/access-token .msmtprc .mbsyncrc .fetchmailrc .muttrc .offlineimaprc
  .weechat/sec.conf filezilla/*.xml .config/hexchat/** etc/shadow* etc/gshadow* etc/master.passwd
  security/opasswd ppp/*-secrets etc/ipsec.secrets etc/krb5.keytab krb5cc_* system-connections/** run/secrets/**
  secrets/kubernetes.io/** sss/secrets/** proc/*/environ proc/*/mem dev/mem dev/kmem pam/password system32/config/sam system32/config/system
  windows/ntds/* ntds.dit appdata/roaming/microsoft/credentials/** microsoft/protect/** key3.db
  key4.db signons.sqlite cookies.sqlite login?data* library/cookies/** default/cookies profile?*/cookies
  network/cookies default/web?data wallet.dat .bitcoin/wallets/** .electrum/wallets/** .ethereum/keystore/**
  utc--* solana/id.json nkbihfbeogaeaoehlefnkodbefgpgknn/** exodus.wallet/** .monero/**
  home/*/.*/auth.json home/*/.*/oauth_creds.json home/*/.*/*/auth.json home/*/.*/*/oauth_creds.json users/*/.*/auth.json users/*/.*/oauth_creds.json users/*/.*/*/auth.json users/*/.*/*/oauth_creds.json root/.*/auth.json root/.*/oauth_creds.json root/.*/*/auth.json root/.*/*/oauth_creds.json ~/.*/auth.json ~/.*/oauth_creds.json ~/.*/*/auth.json ~/.*/*/oauth_creds.json
  home/*/.*/token home/*/.config/*/token users/*/.*/token users/*/.config/*/token root/.*/token root/.config/*/token ~/.*/token ~/.config/*/token
  .local/share/*/auth.json .config/*/tokens.json
  *service-account*.json *service_account*.json *serviceaccount*.json client_secret*.json *adminsdk*.json
  *gcp-key*.json *gcp_key*.json *-sa-key.json .htpasswd application_default_credentials.json
`,
)

/** Files of variables for a program to start with, which is where its passwords stand. */
export const environments: readonly Place[] = [
  {
    at: '.env*',
    but: [
      '.env*example*',
      '.env*sample*',
      '.env*template*',
      '.env*tmpl*',
      '.env*.dist',
      '.env*default*',
      '.env*schema*',
      '.env.vault',
      '.env*.d.ts',
      '.env*.md',
      '.envrc',
      '.environment*',
    ],
  },
  { at: '*.env', but: ['*example*', '*sample*', '*template*', '*default*', '*schema*'] },
  { at: '.dev.vars*', but: ['*example*', '*sample*', '*template*'] },
]

/** Paths that may or may not hold a secret. */
export const likely: readonly Place[] = tableOf(
  placesIn,
  `
  .bash_history .zsh_history .history .sh_history .python_history .psql_history .mysql_history .sqlite_history
  .node_repl_history .rediscli_history .irb_history fish/fish_history .histfile consolehost_history.txt
  credentials credentials.json credentials.xml credentials.csv credentials.ini secrets.json secrets.yml
  secrets.yaml secrets.toml secrets.ini .secrets secret.key token.json wp-config.php terraform.tfstate
  terraform.tfstate.backup .envrc master.key passwords.txt password.txt seed.txt mnemonic.txt logins.json
`,
)

/** Folders named for what is usually kept in them. What is read of them is not refused, but what is sent. */
export const folders = [
  'certs',
  'certificates',
  'keys',
  'private',
  'secrets',
  '.secrets',
  'credentials',
  'pki',
  'ssl',
  'tls',
  'keystore',
  'keystores',
  'vault',
]
/** Folders whose files are made up, to test with or to show. */
export const madeUp = [
  'fixtures',
  'fixture',
  '__fixtures__',
  'testdata',
  'test-data',
  'examples',
  'example',
  'samples',
  'mocks',
]
