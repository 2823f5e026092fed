import { abstains, ask, asks, assignmentsOf, definePolicy, quoted } from 'hookgate/policy'

/** Variables by which every program that is started runs something else as well. */
const preloading =
  /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|ENV|PROMPT_COMMAND|ZDOTDIR|PYTHONSTARTUP|PERL5OPT|RUBYOPT|GCONV_PATH|PERL5DB)$/
/** Programs that do so only with certain options. */
const withOptions: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS: /--(?:require|import|loader|experimental-loader)|(?:^| )-r/,
  JAVA_TOOL_OPTIONS: /-(?:javaagent|agentlib|agentpath)/,
  _JAVA_OPTIONS: /-(?:javaagent|agentlib|agentpath)/,
}

/** Folders in which programs usually are, besides those of the system. */
const usual =
  /(?:^|\/)(?:\.?(?:cargo|local|bun|deno|volta|pyenv|rbenv|nvm|asdf|go|dotnet|poetry|pnpm|yarn|krew|foundry|nix-profile|rvm|sdkman|linuxbrew|homebrew|opam|ghcup|cabal|mise|fnm)(?:\/.*)?|node_modules\/\.bin|(?:\.?venv|env|\.virtualenvs\/[^/]+)\/bin|vendor\/bin)$/
const ofTheSystem = /^(?:\/usr(?:\/local)?|\/opt\/[^/]+)?(?:\/[^/]+)*\/s?bin$/

/** Returns a folder other than the usual ones whose programs come before theirs. */
function hijackerIn(value: string): string | undefined {
  const folders = value.split(/[:;]/)
  const known = folders.findIndex((one) => /^(?:\uFDD0|\$\{?PATH\}?|%PATH%|\/usr\/bin|\/bin)$/i.test(one))
  return folders
    .slice(0, known === -1 ? undefined : known)
    .find(
      (one) =>
        !usual.test(one.replace(/\/+$/, '')) &&
        !(one.startsWith('/') && ofTheSystem.test(one) && !one.startsWith('/tmp') && /^\/(?:usr|opt|s?bin)/.test(one)),
    )
}

export default definePolicy({
  id: 'search-path',
  severity: 'medium',
  description: 'Asks before programs are searched in other folders, or start with other code preloaded',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { assignments: true },
  params: {
    pathFolders: { type: 'strings', default: [], description: 'folders that may come first in `PATH`' },
  },
  decide({ shell, params }) {
    const assigned = shell.commands.flatMap((command, at) =>
      assignmentsOf(command).map(([name, value]) => ({ name, value, at })),
    )
    for (const { name, value, at } of assigned) {
      const folder = name === 'PATH' && value !== '' ? hijackerIn(value) : undefined
      if (folder !== undefined && !params.pathFolders.some((one) => value.startsWith(`${one}:`))) {
        return ask(
          `\`PATH\` would run what is in ${quoted(folder === '' ? '.' : folder)} under the usual names: name the program by its path`,
          { at },
        )
      }
      const withOption = Object.hasOwn(withOptions, name) ? withOptions[name] : undefined
      if ((preloading.test(name) && value !== '') || withOption?.test(value) === true) {
        return ask(`\`${name}\` makes code run in every program that is started: leave it out`, { at })
      }
    }
    return undefined
  },
  examples: [
    asks('a folder in front', 'export PATH=/malicious/path:$PATH'),
    abstains('a folder at the end', 'export PATH=$PATH:/opt/x/bin'),
    asks('for one command', 'PATH=./fake:$PATH make'),
    abstains('programs of the project', 'PATH=node_modules/.bin:$PATH tsc'),
    asks('a library', 'LD_PRELOAD=./x.so ls'),
    abstains('another variable', 'LANG=C ls'),
    asks('in Node', 'NODE_OPTIONS="--require ./x.js" npm test'),
    abstains('more memory for Node', 'NODE_OPTIONS=--max-old-space-size=4096 npm test'),
    abstains('a folder that is allowed', 'PATH=/tools:$PATH make', { params: { pathFolders: ['/tools'] } }),
  ],
})
