import { liveByVerbs } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'

/** Programs of macOS. Many take their subcommands as options with one dash. */
export const macos: Family = {
  programs: {
    dscacheutil: { looks: { oneDash: true, lines: '-q|--cachedump|--configuration|--statistics !--flushcache' } },
    scutil: {
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
    profiles: { looks: { oneDash: true, lines: 'list|show|status|version|help; -P|-L|-C|--list [-v|--verbose]' } },
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
    softwareupdate: { looks: { oneDash: true, lines: '-l|--list|--history !-i|--install|-d|--download [--all]' } },
    pmset: { looks: { oneDash: true, lines: '-g []' } },

    fdesetup: { looks: 'status|list|isactive|version' },
    systemsetup: {
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
      looks: {
        oneDash: true,
        lines: '--info|--getBoot !--setBoot|--folder|--mount|--device|--file [--verbose|--plist]',
      },
    },

    ditto: { looks: '--help|-h []' },
  },
}
