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

/** Programs that run a command with a chosen version of a tool, an environment, or secrets. */
export const versionManagers: Family = {
  rows: { obeysFolder: true, codeOnStdin: 'settings' },
  programs: {
    asdf: { subcommands: { exec, env: behindVersion } },
    'mise rtx': {
      output: setup(/^(?:activate|env|hook-env)\b/),
      options: 'C cd E env',
      subcommands: { 'exec, x': miseExec },
    },
    'pyenv rbenv nodenv goenv jenv plenv phpenv': {
      output: setup(/^(?:virtualenv-)?init\b/),
      subcommands: { exec },
    },
    opam: { output: setup(/^(?:config )?env\b/), subcommands: { exec } },
    luarocks: { output: setup(/^path\b/) },
    nvm: { subcommands: { 'run, exec': behindVersion } },
    fnm: { output: setup(/^(?:env|completions)\b/), subcommands: { exec: { options: 'using fnm-dir', starts: {} } } },
    volta: { subcommands: { run: { options: 'node npm yarn env', starts: {} } } },
    rustup: { output: setup(/^completions\b/), subcommands: { run: behindVersion } },
    rvm: { subcommands: { do: exec } },
    direnv: {
      obeys: { when: /^(?:allow|permit|exec)\b/, files: /^\.envrc$/ },
      output: setup(/^(?:export|hook) \w+$/),
      subcommands: { exec: { starts: { own: 1, strayed: true } } },
    },
    'aws-vault': { subcommands: { exec: { options: 'd duration t mfa-token region', starts: { own: 1 } } } },
    'aws-okta': { subcommands: { exec: behindVersion } },
    'saml2aws chamber': { subcommands: { exec: dashes } },
    op: { options: 'account cache config session', subcommands: { run: dashes } },
    doppler: {
      options: 'p project c config t token',
      subcommands: { run: { options: 'command=script p project c config', starts: { dashes: true } } },
    },
    infisical: {
      subcommands: { run: { options: 'command=script env path token projectId', starts: { dashes: true } } },
    },
    teller: { subcommands: { run: dashes } },
    sops: {
      output: ({ operands: [verb], has }) => (has('d', 'decrypt') || verb?.value === 'decrypt' ? 'decoded' : undefined),
      sealed: true,
      options: 'output=write config=read age pgp kms k=read',
      operands: 'read',
      subcommands: { 'exec-env, exec-file': scriptBehindFile },
    },
  },
}
