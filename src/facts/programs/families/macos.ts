import type { Family } from '../program.ts'

/** Programs of macOS. Many take their subcommands as options with one dash. */
export const macos: Family = {
  programs: {
    defaults: { looks: { oneDash: true, options: 'host +currentHost', lines: 'read|read-type|domains|find|help' } },
    diskutil: { looks: 'list|info|listFilesystems' },
    hdiutil: { looks: { oneDash: true, lines: 'info|imageinfo|help|verify|checksum|pmap|plugins|isencrypted|fsid' } },
    dscl: {
      looks: {
        oneDash: true,
        options: 'u P f +q +raw +plist +url +p',
        lines: `
      * --read|--readall|--readpl|--readpli|--list|--search|--diff !--create|--createpl|--createpli|--append|--merge|--delete|--deletepl|--deletepli|--change|--changei|--passwd
      * read|readall|list|search|diff
      --list []`,
      },
    },
    dscacheutil: { looks: { oneDash: true, lines: '-q|--cachedump|--configuration|--statistics !--flushcache' } },
    scutil: {
      looks: { oneDash: true, lines: '--get|--dns|--proxy|--nwi|-r|-W !--set|--prefs|--renew|--allow-new-interfaces' },
    },
    security: {
      looks: {
        options: '+v +q +l',
        lines: `
      find-certificate|find-identity|show-keychain-info|dump-trust-settings|verify-cert|error|help
      find-generic-password|find-internet-password !-g|-w
      get-identity-preference|translocate-policy-check`,
      },
    },
    launchctl: {
      looks:
        'list|print|print-cache|print-disabled|plist|procinfo|hostinfo|resolveport|blame|dumpstate|managerpid|manageruid|managername|error|variant|version|help|getenv|dumpjpcategory',
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
    spctl: {
      looks: {
        oneDash: true,
        options: 't type context',
        lines:
          '-a|--assess|--status|--disable-status|--list [-v|--verbose|--vv|--vvv|--vvvv|--raw|--ignore-cache|--no-cache|-t|--type|--context|--continue]',
      },
    },
    symbols: { looks: { oneDash: true, lines: '!--saveSignature|-o|--symbolsPackageDir 1..' } },
    tmutil: {
      looks:
        'help|version|listbackups|latestbackup|machinedirectory|destinationinfo|listlocalsnapshots|listlocalsnapshotdates|status|currentphase|isexcluded|compare|uniquesize|calculatedrift|verifychecksums',
    },
    xattr: { looks: '!-w|-d|-c' },
    codesign: {
      looks: {
        oneDash: true,
        lines: `
      --validate-constraint []
      -d|--dv|--dvv|--dvvv|--dvvvv|--display|-v|--vv|--vvv|--vvvv|--verify|-h !-s|--sign|--remove-signature|-f|--force|--extract-certificates|--entitlements|--detached|--file-list|--generate-entitlement-der|--fs`,
      },
    },
    lipo: {
      looks: {
        oneDash: true,
        lines:
          '--info|--detailed_info|--archs|--verify_arch !--create|--extract|--extract_family|--remove|--replace|--thin|--output|-o',
      },
    },
    'otool kextstat ioreg mdfind dyld_info': { looks: true },
    mdimport: { looks: { oneDash: true, lines: '-t|-L|-A|-X [--d1|--d2|--d3|--d4|-d|-n]' } },
    mdutil: { looks: { oneDash: true, lines: '-s [-a|-v]' } },
    textutil: { looks: { oneDash: true, lines: '--info [--noload|--nostore|--format=|--encoding=]; --help []' } },
    qlmanage: { looks: { oneDash: true, lines: '-m|-h|-p [-x]' } },
    say: { looks: '!-o|--output-file|-n|--network-device|--network-send|-f|--input-file' },
    screencapture: { looks: '-h' },
    system_profiler: { looks: { oneDash: true, lines: '' } },
    softwareupdate: { looks: { oneDash: true, lines: '-l|--list|--history !-i|--install|-d|--download [--all]' } },
    pmset: { looks: { oneDash: true, lines: '-g []' } },
    nvram: { looks: { oneDash: true, lines: '-p [-x]' } },
    csrutil: { looks: 'status' },
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
    xcodebuild: {
      looks: {
        oneDash: true,
        lines:
          '--list|--version|--showsdks|--showBuildSettings|--showdestinations [--json|--project=|--workspace=|--scheme=]',
      },
    },
    xcrun: {
      looks: {
        oneDash: true,
        lines: `
      --find|-f|--show-sdk-path|--show-sdk-version|--show-sdk-platform-path|--version [--sdk=]
      simctl list`,
      },
    },
    vmmap: { looks: '1..' },
    leaks: { looks: { oneDash: true, lines: '!--outputGraph|--atExit 1..' } },
    heap: { looks: { oneDash: true, lines: '1..' } },
    compression_tool: { looks: { oneDash: true, lines: '!-o' } },
    binhex: { looks: { oneDash: true, lines: 'encode|decode|probe -c !-o|-C; probe' } },
    macbinary: { looks: 'probe' },
    caffeinate: { looks: { options: 't w', lines: '[-d|-i|-m|-s|-u] ..0' } },
    asr: { looks: 'info' },
    bless: {
      looks: {
        oneDash: true,
        lines: '--info|--getBoot !--setBoot|--folder|--mount|--device|--file [--verbose|--plist]',
      },
    },
    kmutil: { looks: 'showloaded|inspect|find' },
    ditto: { looks: '--help|-h []' },
  },
}
