import { ofInfisical, ofSops } from './secret-stores.ts'
import { manager } from './packages-deeds.ts'
import { manager as managerOfSystemPackages } from './system-packages.ts'
import { removal } from './programs.ts'
import { taskStage } from '../deeds/stages.ts'
import type { Family } from '../program.ts'
import { type Row, setup } from '../row.ts'

const exec: Row = { starts: {} }
const behindVersion: Row = { starts: { own: 1 } }
const dashes: Row = { starts: { dashes: true } }
const miseExec: Row = { options: 'c=script command=script C cd E env j jobs', starts: { dashes: true } }
/** A row for programs whose first operand is a file with the environment, and whose second is a script. */
const scriptBehindFile: Row = {
  options: 'user filename',
  starts({ operands: [, text] }, starts) {
    if (text !== undefined) starts.script(text)
  },
}

const miseRow: Row = {
  output: setup(/^(?:activate|env|hook-env)\b/),
  options: 'C cd E env',
  subcommands: { 'exec, x': miseExec },
}

/** Programs that run a command with a chosen version of a tool, an environment, or secrets. */
export const versionManagers: Family = {
  rows: { obeysFolder: true, codeOnStdin: 'settings' },
  programs: {
    asdf: {
      subcommands: { exec, env: behindVersion },
      does: { area: 'system-packages', ...managerOfSystemPackages(['install', 'plugin add|update'], ['uninstall']) },
      looks: 'list|current|which|where|latest|info|help; plugin list',
    },
    mise: {
      ...miseRow,
      does: [{ area: 'programs', ...removal }, taskStage],
      looks: 'ls|list|current|which|where|latest|ls-remote|doctor|version|outdated',
    },
    rtx: { ...miseRow },
    pyenv: {
      output: setup(/^(?:virtualenv-)?init\b/),
      subcommands: { exec },
      looks: `
    versions|version|which|whence|root|commands|prefix|help|shims|completions|latest
    local|global ..0
    install -l|--list`,
    },
    rbenv: {
      output: setup(/^(?:virtualenv-)?init\b/),
      subcommands: { exec },
      looks: `
    versions|version|which|whence|root|commands|prefix|help|shims
    local|global ..0
    install -l|-L|--list|--list-all`,
    },
    nodenv: {
      output: setup(/^(?:virtualenv-)?init\b/),
      subcommands: { exec },
      looks: 'versions|version|which|whence|root|commands|prefix|help|shims; local|global ..0',
    },
    'goenv jenv plenv phpenv': {
      output: setup(/^(?:virtualenv-)?init\b/),
      subcommands: { exec },
    },
    opam: {
      output: setup(/^(?:config )?env\b/),
      subcommands: { exec },
      does: {
        area: 'packages',
        ...manager({ installs: ['install'], publishes: ['publish'], sources: ['repository|repo add'] }),
      },
      looks: 'list|show|search|info; switch list|show',
    },
    luarocks: {
      output: setup(/^path\b/),
      does: {
        area: 'packages',
        ...manager({ installs: ['install'], publishes: ['upload'] }, { valued: 'server tree' }),
      },
    },
    nvm: {
      subcommands: { 'run, exec': behindVersion },
      looks: 'ls|list|ls-remote|current|which|version|version-remote',
    },
    fnm: {
      output: setup(/^(?:env|completions)\b/),
      subcommands: { exec: { options: 'using fnm-dir', starts: {} } },
      looks: 'list|ls|list-remote|ls-remote|current',
    },
    volta: {
      subcommands: { run: { options: 'node npm yarn env', starts: {} } },
      does: { area: 'programs', ...removal },
      looks: 'list|ls|which',
    },
    rustup: {
      output: setup(/^completions\b/),
      subcommands: { run: behindVersion },
      looks: `
    show|check|which|completions|help
    toolchain|target|component|override list
    show *
    doc --path`,
    },
    rvm: { subcommands: { do: exec } },
    direnv: {
      obeys: { when: /^(?:allow|permit|exec)\b/, files: /^\.envrc$/ },
      output: setup(/^(?:export|hook) \w+$/),
      subcommands: { exec: { starts: { own: 1, strayed: true } } },
      looks: 'status|version',
      prints: true,
    },
    'aws-vault': {
      subcommands: { exec: { options: 'd duration t mfa-token region', starts: { own: 1 } } },
      does: {
        area: 'secret-stores',
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
    'aws-okta': { subcommands: { exec: behindVersion } },
    chamber: {
      subcommands: { exec: dashes },
      does: {
        area: 'secret-stores',
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
    saml2aws: { subcommands: { exec: dashes } },
    op: {
      options: 'account cache config session',
      subcommands: { run: dashes },
      does: {
        area: 'secret-stores',
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
      options: 'p project c config t token',
      subcommands: { run: { options: 'command=script p project c config', starts: { dashes: true } } },
      does: {
        area: 'secret-stores',
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
      subcommands: { run: { options: 'command=script env path token projectId', starts: { dashes: true } } },
      does: {
        area: 'secret-stores',
        shows: { secrets: ofInfisical, export: ofInfisical },
        byVerb: 'never',
        nouns: 'run',
        harmless: ['reset', 'user switch'],
      },
    },
    teller: { subcommands: { run: dashes } },
    sops: {
      output: ({ operands: [verb], has }) => (has('d', 'decrypt') || verb?.value === 'decrypt' ? 'decoded' : undefined),
      sealed: true,
      options: 'output=write config=read age pgp kms k=read',
      operands: 'read',
      subcommands: { 'exec-env, exec-file': scriptBehindFile },
      does: {
        area: 'secret-stores',
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
  },
}
