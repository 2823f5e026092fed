import { type Deeds, liveByVerbs } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import type { ShellCommand } from '../../../model/shell.ts'
import type { Line } from '../row.ts'
import type { Starts } from '../starts.ts'
import { joined, known } from '../words.ts'

const setting = {
  area: 'machine',
  kind: 'change',
  object: 'settings of this machine',
  names: 'none',
  oneDash: true,
} as const satisfies Deeds

const guard = {
  area: 'defences',
  kind: 'weaken',
  thing: 'guard',
  names: 'none',
  oneDash: true,
} as const satisfies Deeds

const account = {
  area: 'machine',
  kind: 'change',
  thing: 'account',
  names: 'none',
  oneDash: true,
} as const satisfies Deeds

/** Programs of macOS. Many take their subcommands as options with one dash. */
export const macos: Family = {
  programs: {
    dscacheutil: { looks: { oneDash: true, lines: '-q|--cachedump|--configuration|--statistics !--flushcache' } },
    scutil: {
      does: { ...setting, work: ['--set'] },
      looks: { oneDash: true, lines: '--get|--dns|--proxy|--nwi|-r|-W !--set|--prefs|--renew|--allow-new-interfaces' },
    },

    pkgutil: {
      looks: {
        oneDash: true,
        options: 'volume +v +verbose +f +force +r +regexp',
        never: '--flatten|--flatten-full|--expand|--expand-full|--forget|--unlink|--learn|--edit-pkg|--repair',
        lines:
          '--pkgs|--pkgs-plist|--packages|--files|--lsbom|--export-plist|--pkg-info|--pkg-info-plist|--pkg-groups|--groups|--groups-plist|--group-pkgs|--file-info|--file-info-plist|--check-signature|--payload-files|--only-files|--only-dirs|-h|--help',
      },
    },
    plutil: {
      looks: {
        oneDash: true,
        lines: `
      -p|--lint|--help|--type !-o|-e|--convert|--insert|--replace|--remove|--create
      !--convert|--insert|--replace|--remove|--create|-o|-e|--extract [-s] 1..`,
      },
    },
    profiles: {
      does: {
        ...guard,
        object: 'what manages this machine',
        never: ['remove|-R|-D'],
        work: ['renew|install|-I|-N'],
        says: { 'renew|install|-I|-N': { kind: 'change' } },
      },
      looks: { oneDash: true, lines: 'list|show|status|version|help; -P|-L|-C|--list [-v|--verbose]' },
    },
    sample: { looks: { oneDash: true, lines: '!--file|-e 1..' } },
    sips: {
      looks: {
        oneDash: true,
        lines: '-g|--getProperty|-h|--help|-H|--helpProperties|-v|--version|--formats|--verify [-1]',
      },
    },

    symbols: { looks: { oneDash: true, lines: '!--saveSignature|-o|--symbolsPackageDir 1..' } },

    codesign: {
      looks: {
        oneDash: true,
        lines: `
      --validate-constraint []
      -d|--dv|--dvv|--dvvv|--dvvvv|--display|-v|--vv|--vvv|--vvvv|--verify|-h !-s|--sign|--remove-signature|-f|--force|--extract-certificates|--entitlements|--detached|--file-list|--generate-entitlement-der|--fs`,
      },
      does: liveByVerbs('publish', 'deploy'),
      usesKeys: true,
      patternsFirst: true,
    },
    lipo: {
      looks: {
        oneDash: true,
        lines:
          '--info|--detailed_info|--archs|--verify_arch !--create|--extract|--extract_family|--remove|--replace|--thin|--output|-o',
      },
    },

    'kextstat dyld_info': { looks: true },
    mdimport: { looks: { oneDash: true, lines: '-t|-L|-A|-X [--d1|--d2|--d3|--d4|-d|-n]' } },
    mdutil: { looks: { oneDash: true, lines: '-s [-a|-v]' } },
    textutil: { looks: { oneDash: true, lines: '--info [--noload|--nostore|--format=|--encoding=]; --help []' } },
    qlmanage: { looks: { oneDash: true, lines: '-m|-h|-p [-x]' } },
    say: { looks: '!-o|--output-file|-n|--network-device|--network-send|-f|--input-file' },
    screencapture: { looks: '-h' },
    system_profiler: { looks: { oneDash: true, lines: '' } },
    softwareupdate: {
      does: {
        ...guard,
        object: 'the updates of this machine',
        valued: 'schedule ignore',
        work: ['--schedule=off', '--ignore', '-i|--install'],
        says: { '-i|--install': { kind: 'change', thing: 'machine', object: 'the system of this machine' } },
      },
      looks: { oneDash: true, lines: '-l|--list|--history !-i|--install|-d|--download [--all]' },
    },
    pmset: {
      does: { ...setting, work: ['-a|-b|-c|-u', 'repeat|schedule', 'restoredefaults'] },
      looks: { oneDash: true, lines: '-g []' },
    },

    fdesetup: {
      does: {
        ...guard,
        object: 'the encryption of this machine',
        never: ['disable'],
        work: ['remove', 'removerecovery'],
      },
      looks: 'status|list|isactive|version',
    },
    systemsetup: {
      does: [
        { ...setting, work: ['-set*'] },
        { area: 'opened-access', oneDash: true, valued: 'setremotelogin', work: ['-setremotelogin=on'] },
      ],
      looks: {
        oneDash: true,
        lines:
          '--gettimezone|--getdate|--gettime|--getcomputername|--getlocalsubnetname|--getnetworktimeserver|--getremotelogin|--getsleep []',
      },
    },
    airport: { looks: { oneDash: true, lines: '-I|-s|--getinfo|--scan []' } },
    log: { looks: 'show|stream|stats|help' },
    'xcode-select': { looks: { oneDash: true, lines: '-p|--print-path|-v|--version|-h []' } },

    vmmap: { looks: '1..' },
    leaks: { looks: { oneDash: true, lines: '!--outputGraph|--atExit 1..' } },
    heap: { looks: { oneDash: true, lines: '1..' } },
    compression_tool: { looks: { oneDash: true, lines: '!-o' } },
    binhex: { looks: { oneDash: true, lines: 'encode|decode|probe -c !-o|-C; probe' } },
    macbinary: { looks: 'probe' },

    bless: {
      does: { ...setting, object: 'how this machine boots', never: ['--setBoot'] },
      looks: {
        oneDash: true,
        lines: '--info|--getBoot !--setBoot|--folder|--mount|--device|--file [--verbose|--plist]',
      },
    },

    tccutil: {
      does: { ...account, kind: 'revoke', object: 'what programs may use on this machine', work: ['reset'] },
    },
    dsenableroot: { does: { ...account, object: 'who can use this machine', work: [''] } },
    dsconfigad: {
      does: { ...account, object: 'which directory this machine belongs to', work: ['-add|-remove|-leave'] },
      looks: { oneDash: true, lines: '--show' },
    },
    pwpolicy: {
      does: {
        ...guard,
        object: 'the rules for passwords',
        work: ['-clearaccountpolicies|-setaccountpolicies|-setglobalpolicy'],
      },
    },
    sfltool: {
      does: { ...setting, kind: 'delete', object: 'what starts by itself on this machine', work: ['resetbtm'] },
    },

    ditto: {
      copies: true,
      output: 'files',
      options: 'arch bom password zlibCompressionLevel',
      oneDash: true,
      operands: 'read',
      last: 'into',
      recursive: true,
      silent: true,
      looks: '--help|-h []',
    },
  },
  examples: {
    'scutil --set HostName web1': 'changes settings of this machine',
    'scutil --get HostName': '',
    'profiles remove -all': 'weakens what manages this machine',
    'profiles list': '',
    'pmset -a sleep 0': 'changes settings of this machine',
    'pmset -g': '',
    'fdesetup disable': 'weakens the encryption of this machine',
    'systemsetup -setremotelogin on': 'changes settings of this machine; opens this machine to others, from outside',
    'systemsetup -getremotelogin': '',
    'softwareupdate --schedule off': 'weakens the updates of this machine',
    'softwareupdate --install-rosetta': '',
    'tccutil reset All': 'revokes what programs may use on this machine',
    'pwpolicy -clearaccountpolicies': 'weakens the rules for passwords',
  },
}

/** Starts the shell commands in a script, the code of JavaScript for Automation, and `trash` for what Finder is told to delete. */
export function startAppleScript(read: Line, starts: Starts, command: ShellCommand): void {
  const code = read.has('e') ? read.values('e') : undefined
  const language = read.value('l')?.value.toLowerCase() === 'javascript' ? 'javascript' : undefined
  const text = code === undefined ? command.stdin : joined(code, '\n')
  if (text === undefined || (code === undefined && read.operands.some(({ value }) => value !== '-'))) return
  const home = starts.variable('HOME')?.value ?? '~'
  for (const path of trashedByFinder(text.value))
    starts.words([known('trash'), known(path.replace(/^~(?=\/|$)/, () => home))])
  if (language !== undefined) starts.code(language, text)
  else if (text === command.stdin && text.unresolved) starts.script(text)
  for (const script of text.value.matchAll(
    /\bdo\s+(?:shell\s+)?script\s+"((?:[^"\\]|\\.)*)"|\bdoShellScript\(\s*["']((?:[^"'\\]|\\.)*)["']/g,
  )) {
    starts.script({ ...text, value: (script[1] ?? script[2] ?? '').replaceAll(/\\(.)/gs, '$1') })
  }
}

/** AppleScript's names of folders of the home directory: `path to documents folder`. */
const standardFolders: Readonly<Record<string, string>> = {
  home: '~',
  documents: '~/Documents',
  desktop: '~/Desktop',
  downloads: '~/Downloads',
  pictures: '~/Pictures',
  movies: '~/Movies',
  music: '~/Music',
  library: '~/Library',
  applications: '/Applications',
}

/** An order to delete, up to the end of its statement. */
const finderDeletion = /\b(?:delete|move)\b([^\n]{1,400})|\.(?:delete|moveToTrash)\(([^\n]{1,400})/g

/** Returns the paths that Finder or System Events is told to delete: they go to the trash, or are gone. */
function trashedByFinder(script: string): readonly string[] {
  if (!/\b(?:Finder|System Events)\b/.test(script)) return []
  return [...script.matchAll(finderDeletion)].flatMap(([whole, given = '', called = '']) => {
    if (/^move\b/.test(whole) && !/\bto (?:the )?trash\b/.test(given)) return []
    const object = called === '' ? given : called
    const [, standard = ''] = /\b(?:path to (?:the )?|folder )?(\w+) folder\b/.exec(object) ?? []
    const [, named] = /(?<!\\)"((?:[^"\\]|\\.){1,300})"/.exec(object) ?? []
    const [, within = standard] = /\bof (?:the )?(home|desktop|documents folder)\b/.exec(object) ?? []
    const folder = standardFolders[within.replace(' folder', '').toLowerCase()]
    if (named === undefined) return folder === undefined ? [] : [folder]
    if (/^[/~]/.test(named)) return [named]
    // An alias has the disk's name in front: `Macintosh HD:Users:u:Documents:`.
    if (named.includes(':')) return [`/${named.split(':').slice(1).filter(Boolean).join('/')}`]
    return folder === undefined ? [] : [`${folder}/${named}`]
  })
}
