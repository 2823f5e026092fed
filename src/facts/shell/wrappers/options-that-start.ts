import { readOptions } from '../../../model/options.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Starts, Unwrap } from '../unwrap.ts'
import { splitWords } from './split.ts'
import { names } from './words.ts'

/** A program that does its own work, and has options that start something. */
interface Starting {
  /** Options whose values are scripts for a shell. */
  readonly scripts?: string
  /** Options whose values are split into words. */
  readonly words?: string
  /** Variables of the environment whose values are scripts. */
  readonly variables?: string
  /** Options that take another value. */
  readonly valued?: string
  readonly abbreviations?: boolean
  readonly oneDash?: boolean
}

const table: Readonly<Record<string, Starting>> = {
  split: {
    scripts: 'filter',
    valued: 'a b C l n t suffix-length bytes line-bytes lines number separator additional-suffix',
    abbreviations: true,
  },
  zip: { scripts: 'TT unzip-command', valued: 'b t n x i P s O temp-path', oneDash: true },
  sort: {
    words: 'compress-program',
    valued:
      'k o S t T key output buffer-size field-separator temporary-directory parallel batch-size files0-from random-source',
    abbreviations: true,
  },
  man: {
    scripts: 'P pager H html',
    variables: 'MANPAGER PAGER',
    valued:
      'C M L m S s e E r p config-file manpath locale systems sections extension encoding prompt preprocessor recode',
  },
  tcpdump: { words: 'z', valued: 'B c C D E F G i j m M Q r s T V w W y Z' },
  certbot: {
    scripts: 'pre-hook post-hook deploy-hook renew-hook manual-auth-hook manual-cleanup-hook',
    valued: 'd m w',
    abbreviations: true,
  },
  'yt-dlp': { scripts: 'exec exec-before-download netrc-cmd', valued: 'o f P r a' },
  'youtube-dl': { scripts: 'exec', valued: 'o f r a' },
  aria2c: {
    words:
      'on-download-start on-download-pause on-download-stop on-download-complete on-download-error on-bt-download-complete',
    valued: 'd o i l s x k',
  },
  gcc: { words: 'wrapper', valued: 'o I L D', oneDash: true },
  'g++': { words: 'wrapper', valued: 'o I L D', oneDash: true },
  go: { words: 'exec toolexec', valued: 'o run tags C ldflags gcflags mod', oneDash: true },
  openvpn: {
    scripts: 'up down route-up route-pre-down ipchange client-connect client-disconnect learn-address tls-verify',
    valued: 'config dev',
  },
  wget: { words: 'use-askpass', valued: 'O o P U e' },
  fzf: { scripts: 'preview', variables: 'FZF_DEFAULT_COMMAND', valued: 'q query f filter d delimiter n nth m bind' },
  'cargo-watch': { scripts: 's shell', valued: 'x exec w watch i ignore C workdir d delay' },
  restic: { scripts: 'password-command', valued: 'r repo p password-file o option' },
  borg: { scripts: 'rsh content-from-command', variables: 'BORG_RSH BORG_PASSCOMMAND', valued: 'P prefix remote-path' },
  rclone: { scripts: 'password-command', valued: 'config' },
  msmtp: { scripts: 'passwordeval', valued: 'a account C file' },
  'xdg-open': { variables: 'BROWSER' },
  'sensible-browser': { variables: 'BROWSER' },
  'sensible-editor': { variables: 'VISUAL EDITOR' },
  'sensible-pager': { variables: 'PAGER' },
  sudoedit: { variables: 'SUDO_EDITOR VISUAL EDITOR' },
  visudo: { variables: 'SUDO_EDITOR VISUAL EDITOR' },
  vipw: { variables: 'VISUAL EDITOR' },
  journalctl: { variables: 'SYSTEMD_PAGER PAGER' },
  systemctl: { variables: 'SYSTEMD_EDITOR SYSTEMD_PAGER EDITOR VISUAL PAGER', valued: 'H M host machine' },
  gh: { variables: 'GH_BROWSER BROWSER GH_EDITOR GH_PAGER' },
  ffuf: { scripts: 'input-cmd', valued: 'u w', oneDash: true },
}

function startsOf(rules: Starting): Unwrap {
  return ({ args }, starts) => {
    const read = readOptions(args, {
      valued: [rules.scripts, rules.words, rules.valued].flatMap((row) =>
        row === undefined || row === '' ? [] : names(row),
      ),
      ...(rules.abbreviations === true && { abbreviations: true }),
      ...(rules.oneDash === true && { oneDash: true }),
    })
    const all = (row: string | undefined): readonly ShellWord[] =>
      row === undefined || row === '' ? [] : names(row).flatMap((name) => read.given.get(name) ?? [])
    for (const text of all(rules.scripts)) if (text.value !== '') starts.script(text)
    for (const text of all(rules.words))
      starts.words(splitWords(text.value.replaceAll(',', rules.words === 'wrapper' ? ' ' : ',')))
    if (rules.variables !== undefined) fromVariables(names(rules.variables), starts)
  }
}

/** Scripts that stand in the command's environment. */
function fromVariables(variables: readonly string[], starts: Starts): void {
  for (const name of variables) {
    const value = starts.variable(name)
    if (value !== undefined && value.value !== '') starts.script(value)
  }
}

export const startingOptions: Readonly<Record<string, Unwrap>> = {
  ...Object.fromEntries(Object.entries(table).map(([program, rules]) => [program, startsOf(rules)])),
  less: ({ args }, starts) => {
    for (const name of ['LESSOPEN', 'LESSCLOSE']) {
      const value = starts.variable(name)
      const text = value?.value.replace(/^\|{1,2}-?/, '').replaceAll('%s', args.at(-1)?.value ?? '')
      if (text !== undefined && text !== '') starts.script({ ...value, value: text })
    }
    for (const { value } of args) if (/^\+{1,2}!/.test(value)) starts.script({ value: value.replace(/^\+{1,2}!/, '') })
  },
}
