import { imageCopier, liveByVerbs, type Shown } from '../deeds/deeds.ts'
import { behind } from '../../../words/options.ts'
import { isKnown, type Judge, readLook } from '../looks/look.ts'
import type { Family } from '../program.ts'
import { type Row, setup, turnedBack } from '../row.ts'
import { host } from './network.ts'
import { encryptingTool } from './secret-stores.ts'
import { certificates } from './system-packages.ts'

const gpgTool: Row = {
  sealed: true,
  output: turnedBack('decoded', 'd decrypt'),
  options:
    'o=write output=write r recipient R hidden-recipient u local-user default-key homedir=names passphrase passphrase-file=key passphrase-fd keyserver keyring=edit secret-keyring=read options=read log-file=append status-fd s2k-mode cipher-algo digest-algo compress-algo pinentry-mode trust-model export-options import-options batch? attribute-file=write set-filename +decrypt +encrypt +symmetric +sign +verify +import +export +export-secret-keys +list-keys +armor +detach-sign +clearsign +delete-keys',
  effects(line, recorder) {
    if (
      line.has(
        'k',
        'K',
        'list-keys',
        'list-secret-keys',
        'export',
        'export-secret-keys',
        'export-secret-subkeys',
        'delete-keys',
        'delete-secret-keys',
        'recv-keys',
        'edit-key',
        'fingerprint',
        'search-keys',
        'send-keys',
        'gen-key',
        'quick-gen-key',
        'full-generate-key',
        'refresh-keys',
      )
    )
      return
    for (const word of line.operands) recorder.touch(word, 'read')
    if (line.value('o', 'output') !== undefined || line.has('d', 'decrypt', 'verify', 'import')) return
    const suffix = line.has('a', 'armor', 'clearsign') ? '.asc' : '.gpg'
    for (const word of line.operands) recorder.touch({ ...word, value: word.value + suffix }, 'write')
  },
}

const signingTool: Row = { options: 'p=read P s=read x=write m=read c t key=key', operands: 'none' }

const ageTool: Row = {
  sealed: true,
  output: turnedBack('decoded', 'd decrypt'),
  options: '+decrypt o=write output=write i=key identity=key r recipient R=read recipients-file=read j',
  operands: 'read',
}

const keyStore: Row = {
  options: 'keystore=edit file=read alias storepass keypass import out=write d=names k=read o=write',
  oneDash: true,
}

const privateKey: Shown = { object: 'private key', names: 'none' }

const opensslTool: Row = {
  saysWhatStarts: true,
  output(line) {
    if (line.operands[0]?.value === 'rand') return 'random'
    if (line.has('pubout') && !line.has('text')) return 'public'
    return line.has('d') ? 'decoded' : 'parts'
  },
  options:
    '+d in=read out=write inkey=key key=key cert=key CAfile=key CApath=read CA=read CAkey=read certfile=read cert_chain=read config=read signature=read sign=read verify=read prverify=read kfile=read pass passin passout k connect proxy host servername subj days K iv md newkey rand=read writerand=write keyout=write extfile=read serial=edit name nameopt recip=read signer=read content=read p7 set_serial accept port www sess_out=write sess_in=read verify_hostname',
  oneDash: true,
  effects(line, recorder) {
    for (const { name, value } of line.given) {
      if (name.startsWith('pass') && value.value.startsWith('file:')) recorder.touch(behind(value, 5), 'read')
    }
    const [verb, ...rest] = line.operands
    const connect = line.value('connect', 'host')
    if (verb?.value === 's_client' || connect !== undefined) {
      const place = connect ?? rest[0]
      recorder.network({
        kind: 'stream',
        direction: 'both',
        ...host(place === undefined ? undefined : { ...place, value: place.value.replace(/:\w*$/, '') }),
      })
    } else if (verb?.value === 's_server') recorder.network({ kind: 'stream', direction: 'listen' })
    else for (const word of rest) recorder.touch(word, 'read')
  },
}

/** Options of openssl with which it writes, makes or uses a key, or reads settings. */
const opensslActs =
  /^(?:out|keyout|writerand|signkey|key|CA.*|set_serial|x509toreq|req|new|newkey|engine|provider.*|config|passout|sess_out|keylogfile|msgfile|proxy_pass)$/

/** Judges openssl: it only looks if it shows a certificate or asks a server for one. Printing a key is no look. */
const judgeOpenssl: Judge = (look) => {
  const { args, command, isFed } = look
  const { names: given, operands } = readLook(args, '', true)
  if (!isKnown(look) || given.some((name) => opensslActs.test(name))) return false
  switch (operands[0] === args[0] ? (operands[0]?.value ?? '') : '') {
    case 'version':
    case 'ciphers':
    case 'list':
    case 'help':
      return true
    case 'x509':
      return given.includes('noout')
    case 's_client':
      if (command?.stdin !== undefined) return command.stdin.unresolved !== true
      return (
        isFed !== true &&
        command?.redirections.some(({ operator, target }) => operator === '<' && target?.value !== '/dev/null') !== true
      )
    default:
      return false
  }
}

/** Programs that make, keep and use keys and certificates. */
export const keysAndCertificates: Family = {
  area: 'secret-stores',
  programs: {
    'ssh-add': {
      sealed: true,
      options: 't E S s e h H=read',
      operands: 'read',
      does: {
        kind: 'delete',
        thing: 'machine',
        object: 'keys of the agent',
        names: 'none',
        never: ['-D|-d'],
      },
      looks: '-l|-L []',
    },
    'ssh-keyscan': { options: 'f=read t T p a' },
    'ssh-agent': { output: setup(/^(?:-[sc])?$/), options: 't a=write E O P', starts: {}, idle: 'k' },
    gpg: {
      ...gpgTool,
      does: [
        {
          shows: { '--export-secret-keys|--export-secret-subkeys|--export-secret-ssh-key': privateKey },
          says: {
            '--delete-secret-keys|--delete-secret-key|--delete-secret-and-public-key': {
              kind: 'delete',
              object: 'secret key',
              names: 'last',
            },
            '--delete-keys|--delete-key': { kind: 'delete', object: 'public key', names: 'last' },
          },
          never: [
            '--delete-secret-keys|--delete-secret-key|--delete-secret-and-public-key',
            '--delete-keys|--delete-key',
          ],
          hIsNoHelp: true,
        },
        liveByVerbs('publish', 'deploy'),
      ],
      looks:
        '--list-keys|-k|--list-public-keys|--list-secret-keys|-K|--list-sigs|--check-sigs|--fingerprint|--list-packets|--verify|--version|--list-config [--with-colons|--with-subkey-fingerprint|--with-fingerprint|--keyid-format=]',
    },
    gpg2: {
      ...gpgTool,
      does: {
        shows: { '--export-secret-keys|--export-secret-subkeys': privateKey },
        says: {
          '--delete-secret-keys|--delete-secret-key|--delete-secret-and-public-key': {
            kind: 'delete',
            object: 'secret key',
            names: 'last',
          },
          '--delete-keys|--delete-key': { kind: 'delete', object: 'public key', names: 'last' },
        },
        never: [
          '--delete-secret-keys|--delete-secret-key|--delete-secret-and-public-key',
          '--delete-keys|--delete-key',
        ],
        hIsNoHelp: true,
      },
    },
    'gpgv gpgsm': gpgTool,
    'age rage': {
      ...ageTool,
      does: { shows: { '-d|--decrypt': { object: 'what age has encrypted' } } },
    },
    'age-keygen': { options: 'o=write output=write', operands: 'read' },
    'ccrypt mcrypt scrypt': encryptingTool,
    'minisign signify': signingTool,
    cosign: { ...signingTool, does: imageCopier },
    security: {
      ...keyStore,
      does: [
        {
          valued: 's a l c C D j r p',
          shows: {
            'find-generic-password|find-internet-password -w|-g': { object: 'keychain password', names: 'none' },
            'dump-keychain|export': { object: 'the keychain' },
          },
          says: {
            'delete-keychain': { kind: 'delete', object: 'keychain, with its secrets' },
            '*': { kind: 'delete', object: 'entry of the keychain', names: 'none' },
          },
          never: ['delete-keychain'],
          work: ['delete-generic-password|delete-internet-password|delete-certificate|delete-identity'],
        },
        { area: 'system-packages', ...certificates('add-trusted-cert') },
      ],
      looks: {
        options: '+v +q +l',
        lines: `
      find-certificate|find-identity|show-keychain-info|dump-trust-settings|verify-cert|error|help
      find-generic-password|find-internet-password !-g|-w
      get-identity-preference|translocate-policy-check`,
      },
      usesKeys: true,
      patternsFirst: true,
      namesSecrets: true,
    },
    keytool: {
      ...keyStore,
      does: [
        {
          area: 'devices',
          kind: 'delete',
          object: 'key',
          thing: 'secret',
          names: '-alias',
          says: {
            '-importkeystore': { kind: 'overwrite', object: 'keys of the store', thing: 'secret', names: 'none' },
          },
          oneDash: true,
          work: ['-delete', '-importkeystore -noprompt'],
        },
        { area: 'system-packages', ...certificates('-import|-importcert') },
      ],
    },
    pk12util: keyStore,
    certutil: {
      ...keyStore,
      // Windows' own: `/decode`, `-decodehex`, in any case.
      output: ({ given, operands }) =>
        given.some(({ name }) => /^decode/i.test(name)) || operands.some(({ value }) => /^\/decode/i.test(value))
          ? 'decoded'
          : undefined,
      does: { area: 'system-packages', ...certificates('-addstore', '/addstore') },
    },
    certbot: {
      options:
        'pre-hook=script post-hook=script deploy-hook=script renew-hook=script manual-auth-hook=script manual-cleanup-hook=script d m w',
      does: {
        says: {
          revoke: { kind: 'revoke', object: 'certificate', names: '--cert-name|--cert-path' },
          delete: { kind: 'delete', object: 'certificate' },
          unregister: { kind: 'delete', object: 'the account at the authority', thing: 'account', names: 'none' },
          rollback: { kind: 'rollback', object: 'the settings of the web server', names: 'none' },
        },
        never: ['delete', 'revoke', 'unregister', 'rollback'],
        trials: 'test-cert staging',
      },
    },
    'acme.sh acme': {
      does: {
        kind: 'delete',
        object: 'certificate',
        names: '-d|--domain',
        says: {
          '--revoke': { kind: 'revoke', object: 'certificate', names: '-d|--domain' },
          '--uninstall': { kind: 'delete', object: 'the renewal of certificates', names: 'none' },
        },
        never: ['--revoke', '--remove', '--deactivate', '--uninstall'],
      },
    },
    lego: { does: { kind: 'revoke', object: 'certificate', names: '-d|--domains', never: ['revoke'] } },
    step: {
      does: {
        says: {
          '* revoke': { kind: 'revoke', object: 'certificate', names: 'first' },
        },
        never: ['ca revoke', 'ssh revoke', 'ca provisioner remove|delete', 'ca admin remove'],
      },
    },
    cfssl: { does: { kind: 'revoke', object: 'certificate', names: '--serial', never: ['revoke'] } },
    easyrsa: {
      does: {
        says: {
          'init-pki': { kind: 'delete', object: 'every certificate and key', names: 'none' },
          revoke: { kind: 'revoke', object: 'certificate' },
          renew: { kind: 'overwrite', object: 'certificate' },
        },
        never: ['revoke', 'init-pki'],
        work: ['renew'],
      },
    },
    ykman: {
      does: {
        says: {
          '* reset': { kind: 'delete', object: 'everything on the security key', names: 'none' },
        },
        never: [
          '* reset',
          'piv keys|certificates delete',
          'oath accounts delete',
          'fido credentials delete',
          'openpgp reset',
          'config reset',
        ],
      },
    },
    keyctl: { does: { kind: 'delete', object: 'key', work: ['revoke|purge|clear|invalidate|unlink'] } },
    tpm2_clear: { does: { object: 'every key of the security chip', names: 'none', never: [''] } },
    tpm2_evictcontrol: { does: { kind: 'delete', object: 'key of the security chip', names: 'none', work: [''] } },
    'kadmin kadmin.local': {
      does: {
        kind: 'delete',
        object: 'principal or policy',
        thing: 'account',
        valued: 'p q k t c w r',
        says: {
          '-q~cpw|-q~change_password|-q~addprinc|-q~modprinc': {
            kind: 'change',
            object: 'accounts of the realm',
            names: 'none',
          },
          '-q~del': { names: 'none' },
        },
        never: ['delprinc|delete_principal|delpol|delete_policy', '-q~delprinc|-q~delete_p|-q~delpol'],
        work: ['-q~cpw|-q~change_password|-q~addprinc|-q~modprinc'],
      },
    },
    openssl: {
      text: 'openssl',
      ...opensslTool,
      does: {
        shows: {
          'rsa -in !-noout !-pubout !-check': privateKey,
          'pkey -in !-noout !-pubout': privateKey,
          'pkcs12 -nodes|-noenc|-nocerts': privateKey,
        },
        oneDash: true,
        valued: 'inform outform',
      },
      looks: judgeOpenssl,
      opensSockets: true,
      usesKeys: true,
      patternsFirst: true,
    },
    'libressl boringssl': opensslTool,
    // Makes certificates, with their keys.
    mkcert: {
      saysWhatStarts: true,
      options: 'cert-file=write key-file=write p12-file=write csr=read',
      oneDash: true,
      operands: 'none',
      does: { area: 'system-packages', ...certificates('-install') },
    },
  },
  examples: {
    'security find-generic-password -s shop -w': 'shows a keychain password',
    'security find-generic-password -s shop': '',
    'openssl rsa -in a.pem -text': 'shows a private key',
    'openssl rsa -in a.pem -pubout': '',
    'gpg --batch --yes --delete-secret-keys ABC': 'deletes a secret key, which programs may need, for good',
    'certbot revoke --cert-name example.com': 'revokes certificate `example.com`',
    'certbot revoke --cert-name example.com --staging': '',
    'acme.sh --revoke -d example.com': 'revokes certificate `example.com`',
    'easyrsa init-pki': 'deletes every certificate and key, which programs may need, for good',
    'security delete-keychain login.keychain':
      'deletes keychain `login.keychain`, with its secrets, which programs may need, for good',
    'ssh-add -D': 'deletes keys of the agent, for good',
    'ykman piv reset': 'deletes everything on the security key, which programs may need, for good',
    'keyctl revoke 12': 'deletes key `12`, which programs may need',
  },
}
