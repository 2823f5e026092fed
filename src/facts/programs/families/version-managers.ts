import { liveBy } from '../deeds/deeds.ts'
import { enters } from '../looks/look.ts'
import { taskStage } from '../deeds/stages.ts'
import type { Family } from '../program.ts'
import { type Row, setup } from '../row.ts'
import { manager, removal } from '../deeds/packages.ts'
import { systemDeeds } from './system-packages.ts'

const exec: Row = { starts: {} }
const behindVersion: Row = { starts: { own: 1 } }
const miseExec: Row = { options: 'c=script command=script C cd E env j jobs', starts: { dashes: true } }

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
      does: { area: 'system-packages', ...systemDeeds(['install', 'plugin add|update'], ['uninstall']) },
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
      looks: [
        `
    versions|version|which|whence|root|commands|prefix|help|shims|completions|latest
    local|global ..0
    install -l|--list`,
        enters('exec'),
      ],
    },
    rbenv: {
      output: setup(/^(?:virtualenv-)?init\b/),
      subcommands: { exec },
      looks: [
        `
    versions|version|which|whence|root|commands|prefix|help|shims
    local|global ..0
    install -l|-L|--list|--list-all`,
        enters('exec'),
      ],
    },
    nodenv: {
      output: setup(/^(?:virtualenv-)?init\b/),
      subcommands: { exec },
      looks: ['versions|version|which|whence|root|commands|prefix|help|shims; local|global ..0', enters('exec')],
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
      does: [
        {
          area: 'packages',
          ...manager({ installs: ['install'], publishes: ['upload'] }, { valued: 'server tree' }),
        },
        liveBy(/^upload\b/),
      ],
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
  },
}
