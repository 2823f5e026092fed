import { ownNetwork } from './network.ts'
import { type Deed, type Deeds, type Shown } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import { handsOver, type Row } from '../row.ts'
import { hostName } from './http.ts'
import { clusterClient } from './releases.ts'

const vault: Deeds = {
  shows: {
    read: 'Vault secret',
    'kv get': 'Vault secret',
    'print token': { object: 'Vault token', names: 'none' },
    'token create': { object: 'Vault token', names: 'none' },
  },
  says: {
    'secrets disable': { kind: 'delete', object: 'secrets engine, with its secrets', names: 'first' },
    'auth disable': { kind: 'stop', object: 'sign-in method', thing: 'account', names: 'first' },
    'audit disable': { kind: 'stop', object: 'audit log', names: 'first' },
    'namespace delete': { kind: 'delete', object: 'namespace, with its secrets', names: 'first' },
    'lease revoke': { kind: 'revoke', object: 'lease', names: 'first' },
    'token revoke': { kind: 'revoke', object: 'token', names: 'none' },
    plugin: { kind: 'delete', object: 'plugin', names: 'last' },
    'operator seal|step-down': { kind: 'stop', thing: 'infrastructure', object: 'the server', names: 'none' },
    'operator raft remove-peer': { kind: 'delete', object: 'server of the cluster', names: 'none' },
    'operator raft snapshot': { kind: 'overwrite', object: 'all secrets with a snapshot', names: 'none' },
    'operator migrate': { kind: 'overwrite', object: 'the storage of secrets', names: 'none' },
    operator: { kind: 'overwrite', object: 'the keys of the server', names: 'none' },
    'kv rollback|undelete': { kind: 'rollback', object: 'secret', names: 'last' },
    'kv metadata delete': { kind: 'delete', object: 'all versions of', names: 'last' },
    'kv metadata': { kind: 'change', object: 'metadata of', names: 'last' },
    kv: { kind: 'delete', object: 'secret', names: 'last' },
    write: { kind: 'stop', object: 'the server', names: 'none' },
    secrets: { kind: 'change', object: 'secrets engine', names: 'first' },
    delete: { kind: 'delete', object: 'what is at' },
    revoke: { kind: 'revoke', object: 'lease' },
    unmount: { kind: 'delete', object: 'secrets engine, with its secrets' },
  },
  oneDash: true,
  valued: 'mount ca-cert ca-path client-cert client-key header field policy-override wrap-ttl versions version',
  flags: 'prefix',
  never: [
    'secrets|auth|audit disable',
    'delete',
    'kv delete|destroy',
    'kv metadata delete',
    'policy delete',
    'namespace delete',
    'token revoke',
    'lease revoke',
    'plugin deregister',
    'operator seal|step-down|rekey|rotate',
    'operator raft remove-peer',
    'operator raft snapshot restore',
    'operator generate-root',
    'operator migrate',
    'transit delete',
    'write sys/seal|sys/step-down',
  ],
  work: [
    'secrets move',
    'secrets tune',
    'kv rollback',
    'kv undelete',
    'kv metadata patch --remove-custom-metadata',
    'revoke',
    'unmount',
  ],
}

const ofSops: Shown = { object: 'what sops has encrypted', names: 'none' }
const ofInfisical: Shown = { object: 'Infisical secrets', names: 'none' }
export const gitPassword: Shown = { object: 'git password', names: 'none' }

/** What stores of passwords do to their entries. */
const entries: Deed = {
  kind: 'change',
  object: 'entry',
  names: 'last',
  says: {
    'rm|rmdir|remove|delete|attachment-rm': { kind: 'delete', object: 'entry', names: 'last' },
    recipients: { kind: 'revoke', object: 'access of', names: 'last' },
    mounts: { kind: 'delete', object: 'mount', names: 'last' },
    'generate|insert': { kind: 'overwrite', object: 'secret', names: 'first' },
    init: { kind: 'overwrite', object: 'the keys of the store', names: 'none' },
  },
}

/** For programs that encrypt and decrypt the files that they name. */
export const encryptingTool: Row = {
  options: 'output=write config=read vault-password-file=key age pgp kms k=read',
  operands: 'read',
}

/** Starts a command with secrets in its environment, which may be a program of the folder. */
const startsInFolder: Row = { obeysFolder: true, codeOnStdin: 'settings' }
const dashes: Row = { starts: { dashes: true } }

/** A row for programs whose first operand is a file with the environment, and whose second is a script. */
const scriptBehindFile: Row = {
  options: 'user filename',
  starts({ operands: [, text] }, starts) {
    if (text !== undefined) starts.script(text)
  },
}

const programs: Family['programs'] = {
  vault: {
    dashHelp: true,
    ...clusterClient,
    subcommands: {
      exec: { starts: { dashes: true } },
      login: {
        options: 'address method path namespace ca-cert=key client-cert=key client-key=key +no-store +no-print',
        oneDash: true,
        network: (line) => ({
          kind: 'service',
          direction: 'both',
          ...hostName(line.value('address')),
          ...(line.operands.some(({ value }) => /^(?:\w+=)?-$/.test(value)) && { login: true }),
        }),
      },
    },
    does: vault,
    looks: {
      oneDash: true,
      options: 'namespace ns format mount header ca-cert ca-path tls-server-name',
      never: '--address|--agent-address|--output-curl-string|--output-policy|--field',
      lines: `
      status|version|path-help|list
      kv list
      kv metadata get
      auth|secrets|policy|audit|plugin|namespace list
      policy read
      operator members
      operator raft list-peers`,
    },
    namesSecrets: true,
  },
  bao: { does: vault },
  bw: {
    does: {
      shows: { get: 'Bitwarden secret', export: { object: 'the Bitwarden secrets' } },
      says: {
        import: { kind: 'overwrite', object: 'secrets of the vault', names: 'none' },
        'device-approval': { kind: 'revoke', object: 'device' },
        'edit|move|share|confirm': { kind: 'change', objectLast: true },
      },
      never: ['delete', 'import', 'device-approval deny'],
      work: ['edit', 'move|share', 'confirm'],
      harmless: ['logout'],
    },
  },
  bws: { does: { byVerb: 'never', nouns: 'run' } },
  rbw: {
    does: {
      kind: 'delete',
      object: 'entry',
      names: 'first',
      says: {
        purge: { kind: 'delete', object: 'the local copy of secrets', names: 'none' },
        edit: { kind: 'change', object: 'entry' },
      },
      never: ['remove|rm', 'purge'],
      work: ['edit'],
    },
  },
  lpass: {
    does: {
      shows: { show: 'LastPass secret' },
      says: {
        share: { kind: 'revoke', object: 'access to a shared folder', names: 'none' },
        import: { kind: 'overwrite', object: 'secrets of the vault', names: 'none' },
        rm: { kind: 'delete', object: 'entry' },
        'mv|edit': { kind: 'change', object: 'entry', names: 'first' },
      },
      never: ['rm', 'share userdel|rm', 'import'],
      work: ['mv', 'edit'],
    },
  },
  dashlane: { does: { byVerb: 'never' } },
  'keepassxc-cli': {
    does: {
      shows: { show: { object: 'KeePassXC secret', names: 'last' } },
      ...entries,
      never: ['rm', 'rmdir', 'attachment-rm'],
      work: ['edit', 'merge', 'mv'],
    },
  },
  'pass passage prs': {
    does: {
      shows: { show: { object: 'password', names: 'last' }, grep: { object: 'passwords of the store', names: 'none' } },
      ...entries,
      never: ['rm|remove|delete'],
      work: ['mv|rename', 'init', 'generate --in-place|-i|--force|-f', 'insert --force|-f'],
    },
  },
  berglas: {
    does: {
      says: {
        revoke: { kind: 'revoke', object: 'access to secret', names: 'first' },
        delete: { kind: 'delete', object: 'secret' },
      },
      never: ['delete', 'revoke'],
    },
  },
  credstash: {
    does: {
      says: {
        putall: { kind: 'overwrite', object: 'secrets', names: 'none' },
        delete: { kind: 'delete', object: 'secret' },
      },
      never: ['delete', 'putall'],
    },
  },
  conjur: { does: { never: ['policy replace|delete', 'user delete', 'host rotate-api-key'], work: ['variable set'] } },
  akeyless: { does: { never: ['delete-*', 'rollback-secret', 'gateway-delete-*'] } },
  dcli: { does: { byVerb: 'never', nouns: 'logs', harmless: ['logout', 'configure'] } },
  phase: { does: { never: ['secrets delete'], harmless: ['auth'] } },
  keeper: { does: { never: ['rm', 'delete-*', 'enterprise-user --delete'], work: ['mv'] } },
  envkey: { does: { never: ['orgs delete', 'apps delete', 'unset'] } },
  dotenvx: { loadsVariables: true, does: { work: ['rotate'] } },
  tsh: { does: { kind: 'delete', object: 'request', work: ['request drop'], harmless: ['logout'] } },
  'ansible-vault': {
    ...encryptingTool,
    does: { shows: { 'view|decrypt': { object: 'what Ansible has encrypted' } } },
    looks: 'view',
    namesSecrets: true,
  },
  gopass: {
    ...encryptingTool,
    subcommands: { git: handsOver('git', 'git') },
    does: {
      shows: { show: { object: 'password', names: 'last' } },
      ...entries,
      never: ['rm|remove|delete', 'recipients rm|remove', 'mounts rm|remove'],
      work: ['mv|move'],
    },
  },
  op: {
    ...startsInFolder,
    options: 'account cache config session',
    subcommands: { run: dashes },
    does: {
      shows: {
        read: '1Password secret',
        'item get': '1Password secret',
        inject: { object: '1Password secrets', names: 'none' },
      },
      says: {
        'item|document delete': { kind: 'delete', object: 'item' },
        'item edit|move': { kind: 'change', object: 'item', names: 'first' },
        'vault user|group': { kind: 'revoke', object: 'the access to a vault', thing: 'account', names: 'none' },
        'group user': { kind: 'revoke', object: 'the membership of a user', thing: 'account', names: 'none' },
      },
      byVerb: 'never',
      nouns: 'run',
      never: [
        'item|document|vault|user|group delete',
        'connect server|token|group delete|revoke',
        'user suspend',
        'vault user|group revoke',
        'group user revoke',
        'events-api delete',
        'service-account delete',
      ],
      work: ['item edit', 'item move'],
      harmless: ['signout', 'account forget', 'plugin clear'],
    },
  },
  doppler: {
    ...startsInFolder,
    options: 'p project c config t token',
    subcommands: { run: { options: 'command=script p project c config', starts: { dashes: true } } },
    does: {
      shows: { 'secrets !--only-names': { object: 'Doppler secrets', names: 'none' } },
      says: {
        'secrets upload': { kind: 'overwrite', object: 'secrets of the config', names: 'none' },
        'configs unlock': { kind: 'weaken', object: 'the lock of', thing: 'guard' },
        'configs logs|activity|configs rollback': {
          kind: 'rollback',
          object: 'secrets of the config',
          names: 'none',
        },
      },
      valued: 'scope',
      byVerb: 'never',
      nouns: 'run',
      work: ['secrets upload', 'configs unlock', 'configs logs rollback', 'activity rollback'],
      harmless: ['configure reset|unset', 'logout', 'configure flags reset'],
    },
  },
  infisical: {
    ...startsInFolder,
    subcommands: { run: { options: 'command=script env path token projectId', starts: { dashes: true } } },
    does: {
      shows: { secrets: ofInfisical, export: ofInfisical },
      byVerb: 'never',
      nouns: 'run',
      harmless: ['reset', 'user switch'],
    },
  },
  sops: {
    ...startsInFolder,
    output: ({ operands: [verb], has }) => (has('d', 'decrypt') || verb?.value === 'decrypt' ? 'decoded' : undefined),
    sealed: true,
    options: 'output=write config=read age pgp kms k=read',
    operands: 'read',
    subcommands: { 'exec-env, exec-file': scriptBehindFile },
    does: {
      shows: { '-d|--decrypt': ofSops, decrypt: ofSops },
      kind: 'overwrite',
      object: 'file of secrets',
      names: 'last',
      says: {
        publish: { kind: 'publish', object: 'file of secrets' },
      },
      work: ['unset', 'updatekeys', 'rotate', '--rotate|-r', 'publish'],
    },
  },
  'aws-vault': {
    ...startsInFolder,
    subcommands: { exec: { options: 'd duration t mfa-token region', starts: { own: 1 } } },
    does: {
      kind: 'delete',
      object: 'key of',
      says: {
        clear: { kind: 'delete', object: 'sessions', names: 'none' },
        rotate: { kind: 'overwrite', object: 'key of' },
      },
      never: ['remove|rm', 'clear'],
      work: ['rotate'],
    },
  },
  'aws-okta': { ...startsInFolder, subcommands: { exec: { starts: { own: 1 } } } },
  chamber: {
    ...startsInFolder,
    subcommands: { exec: dashes },
    does: {
      shows: { read: { object: 'secret of', names: 'first' }, export: { object: 'secrets of', names: 'first' } },
      kind: 'delete',
      object: 'secret of',
      names: 'first',
      says: {
        import: { kind: 'overwrite', object: 'secrets of', names: 'first' },
        write: { kind: 'overwrite', object: 'secret of', names: 'first' },
      },
      never: ['delete', 'import', 'env delete'],
      work: ['write'],
    },
  },
  saml2aws: { ...startsInFolder, subcommands: { exec: dashes } },
  teller: { ...startsInFolder, subcommands: { run: dashes } },
  // The next do nothing to secrets but show them.
  'secret-tool': { does: { shows: { 'lookup|search': { object: 'keyring password', names: 'none' } } } },
  'kwallet-query': { does: { shows: { '-r|--read-password': { object: 'wallet password', names: 'none' } } } },
  'git-credential-manager': { does: { shows: { get: gitPassword } } },
  'docker-credential-desktop docker-credential-osxkeychain docker-credential-pass docker-credential-secretservice docker-credential-wincred docker-credential-ecr-login docker-credential-gcr docker-credential-gcloud docker-credential-acr-env':
    { does: { shows: { get: { object: 'docker password', names: 'none' } } } },
  netsh: {
    does: [
      { shows: { 'wlan show profile*': { object: 'network passwords', names: 'none' } } },
      {
        area: 'defences',
        kind: 'weaken',
        object: 'the firewall of this machine',
        thing: 'guard',
        names: 'none',
        never: [
          'advfirewall set * state off',
          'advfirewall firewall|consec|mainmode delete rule',
          'advfirewall reset',
          'firewall set opmode *disable*',
        ],
        says: {
          'firewall add|set portopening|allowedprogram': {
            kind: 'open',
            object: 'the firewall of this machine to others',
          },
        },
        work: ['advfirewall firewall add rule', 'firewall add|set portopening|allowedprogram'],
      },
      { area: 'opened-access', work: ['interface portproxy add|set'] },
      { ...ownNetwork, work: ['interface ip|ipv4|ipv6 set|add dns|dnsservers'] },
    ],
  },
  cmdkey: { does: { windows: 'slashes', shows: { '/list': { object: 'the Windows credentials' } } } },
  llm: {
    locates: (words) => (words === 'keys path' ? 'io.datasette.llm/keys.json' : undefined),
    does: { shows: { 'keys get': { object: 'key of a model’s provider', names: 'first' } } },
  },
  mimikatz: { does: { shows: { '': { object: 'the Windows passwords' } } }, collectsSecrets: true },
  lazagne: { does: { shows: { '': { object: 'every password of this machine' } } }, collectsSecrets: true },
}

export const secretStores: Family = {
  area: 'secret-stores',
  programs,
  examples: {
    'vault secrets disable kv/': 'deletes secrets engine `kv/`, with its secrets, which programs may need, for good',
    'vault kv destroy -versions=2 secret/app': 'deletes secret `secret/app`, which programs may need, for good',
    'vault kv get secret/app': 'shows Vault secret `secret/app`',
    'vault kv get -h secret/app': '',
    'vault kv list secret': '',
    'op item get Database --fields password': 'shows 1Password secret `Database`',
    'sops -d prod.yaml': 'shows what sops has encrypted',
    'git credential fill': 'shows a git password',
    'docker-credential-pass get': 'shows a docker password',
    'vault policy delete app': 'deletes policy `app`, for good',
    'vault token revoke -mode path auth/approle': 'revokes a token',
    'vault operator seal': 'stops the server',
    'vault audit disable file': 'stops audit log `file`, which people watch',
    'op item delete "Database" --archive': 'deletes item `Database`, for good',
    'op vault delete Shop': 'deletes vault `Shop` and everything in it, which programs may need, for good',
    'doppler secrets delete KEY --yes':
      'deletes secret `KEY`, which programs may need, for good; shows Doppler secrets',
    'doppler secrets upload .env': 'overwrites secrets of the config; shows Doppler secrets',
    'doppler secrets --only-names': '',
    'infisical secrets delete KEY': 'deletes secret `KEY`, which programs may need, for good; shows Infisical secrets',
    'bw delete item 1': 'deletes item `1`, for good',
    'pass rm shop/db': 'deletes entry `shop/db`, for good',
    'pass insert --force shop/db': 'overwrites secret `shop/db`',
    'gopass rm shop/db': 'deletes entry `shop/db`, for good',
    'chamber delete shop KEY': 'deletes a secret of `shop`, which programs may need, for good',
    'aws-vault remove shop': 'deletes a key of `shop`, which programs may need, for good',
    'lpass rm shop': 'deletes entry `shop`, for good',
    'akeyless delete-item --name /shop/db': 'deletes item `/shop/db`, for good',
  },
}
