import type { Family } from '../program.ts'

/** Programs of a system that only look, some only with certain options. */
export const commands: Family = {
  programs: {
    // With any words: no option of these programs writes a file, runs a program or sends something.
    [`
    : [ true false test echo pwd cat head tac nl rev cut paste join comm fold fmt expand unexpand tr
    colrm column look tsort ptx pr cksum sum md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum
    b2sum b3sum shasum xxhsum crc32 base32 basenc od hexdump hd strings nm size readelf objdump
    dwarfdump addr2line c++filt stat ls dir vdir lsd eza exa du df dust duf readlink realpath basename
    dirname cmp zcmp zcat bzcat xzcat lz4cat zstdcat gzcat zgrep zegrep zfgrep bzgrep xzgrep grep egrep
    fgrep pgrep pidof pstree uptime who w users whoami id groups last lastb logname tty uname nproc
    getconf lscpu lsblk lsusb lsmem lsmod lsns lsipc lslocks lslogins free vmstat mpstat top htop
    vm_stat sw_vers ioreg cal ncal factor seq expr sleep wait type which whereis whatis apropos jobs
    dirs times ulimit shift return exit break continue cd pushd popd jq gojq fq tokei numfmt mountpoint
    getent getfacl lsattr getcap modinfo zipinfo zipgrep pdfinfo pdffonts pathchk ipcs gettext ngettext
    envsubst infocmp toe namei pmap gstat gls ghead gtail gcat gwc gdu greadlink grealpath gcut gtr gseq
    gecho ggrep gegrep hostid systeminfo ver tasklist findstr mdls uuidgen machine hostinfo lpstat jot
    locate plocate mlocate dnsdomainname gbase64 lsb_release atq findmnt getenforce sestatus aa-status
    pkg-config pkgconf dpkg-query xwininfo netstat tput clear help bc systemd-cgls systemd-cgtop
    systemd-detect-virt systemd-path qlist lsinitramfs bzmore zmore yes wc locale col hexyl
    pwdx acpi xdpyinfo difft csvstat csvlook csvcut csvgrep csvsort csvjson tail
  `]: { prints: true, looks: true },
    'sort gsort': { prints: true, looks: { valued: 'k t S', lines: '!-o|--output|--compress-program|--files0-from' } },
    'uniq guniq': { prints: true, looks: { valued: 'f s w skip-fields skip-chars check-chars', lines: '..1' } },
    printf: { prints: true, looks: '!-v' },
    hostname: { prints: true, looks: '!-F|-b ..0' },
    'domainname arch alias': { prints: true, looks: '..0' },
    ssh: { prints: true, looks: '-V [] ..0' },
    'script split': { prints: true, looks: '--help|--version ..0' },
    tree: { prints: true, looks: { valued: 'L P I', lines: '!-o|--output' } },
    xxd: {
      prints: true,
      looks: { valued: 'l s c g o n len seek cols groupsize offset name', lines: '!-r|--revert|-R ..1' },
    },
    file: { prints: true, looks: '!-C|--compile|-m|--magic-file' },
    man: { prints: true, looks: '!-P|--pager|-H|--html|-X|--gxditview|-C|--config-file|-l|--local-file' },
    info: { prints: true, looks: '!-o|--output|--dribble|--restore' },
    rg: { prints: true, looks: '!--pre|--hostname-bin' },
    'fd fdfind': { prints: true, looks: '!-x|-X|--exec|--exec-batch' },
    ag: { prints: true, looks: '!--pager' },
    ack: { prints: true, looks: '!--pager|--ackrc|--output' },
    'bat batcat': { prints: true, looks: '!--pager|--config-file|--generate-config-file' },
    'jaq xq': { prints: true, looks: '!-i|--in-place' },
    yq: { prints: true, looks: { valued: 'o p', lines: '!-i|--inplace|--in-place|-s|--split-exp|--split-exp-file' } },
    sdiff: { prints: true, looks: '!-o|--output|--diff-program' },
    diff3: { prints: true, looks: '!--diff-program' },
    'diff colordiff': { prints: true, looks: '!-l|--paginate' },
    cloc: { prints: true, looks: '!--out|--report-file|--extract-with|--sum-reports|--sql|--write-lang-def' },
    'scc shuf': { prints: true, looks: '!-o|--output' },
    base64: { prints: true, looks: { valued: 'w wrap i input b break', lines: '!-o|--output' } },
    iconv: { prints: true, looks: { valued: 'f t from-code to-code', lines: '!-o|--output' } },
    lastlog: { prints: true, looks: '!-C|--clear|-S|--set' },
    dmidecode: { prints: true, looks: '!--dump-bin' },
    'sar iostat': { prints: true, looks: '!-o' },
    sensors: { prints: true, looks: '!-s|--set|-c|--config-file' },
    delta: { prints: true, looks: '!--pager|--paging|--config' },
    compgen: { prints: true, looks: '[-a|-b|-c|-d|-e|-f|-k|-u|-v|-A=]' },
    'ghc-pkg': { prints: true, looks: 'list|describe|field|check|dump|latest|find-module' },
    'apt-file': { prints: true, looks: 'search|list|show|find !-o|--option|-c|--config-file' },
    'direnv ufw': { prints: true, looks: 'status|version' },
    'ast-grep': {
      looks: `
    run|scan !-U|--update-all|-i|--interactive|-c|--config
    -p|--pattern !-U|--update-all|-i|--interactive|-c|--config ..3`,
    },
    'nc ncat': { prints: true, looks: '-z [-v|-n|-4|-6|-u|-w=] !$' },
    pidstat: { prints: true, looks: '!-e' },
    lshw: { prints: true, looks: '!--dump' },
    lsof: { prints: true, looks: '!-D' },
    lspci: { prints: true, looks: '!-A|-O|-H' },
    history: { prints: true, looks: '!-a|-w|-r|-n|-c|-d|-s ..1' },
    set: { prints: true, looks: '-e|-u|-x|-v|-o|-E|-f|-C [] ..1' },
    shopt: { prints: true, looks: '[-s|-u|-p|-q]' },
    umask: { prints: true, looks: '[-S|-p] ..0' },
    hash: { prints: true, looks: '[-l|-t|-r] ..0' },
    enable: { prints: true, looks: '[-a|-n|-p|-s] ..0' },
    trap: { prints: true, looks: '[-l|-p] ..0' },
    bind: { prints: true, looks: '[-l|-p|-P|-v|-V|-s|-S|-X] ..0' },
    complete: { prints: true, looks: '[-p] ..0' },
    kill: { prints: true, looks: '-l|-L' },
    mktemp: { prints: true, looks: '-u' },
    fuser: { prints: true, looks: '!-k|--kill' },
    dig: { prints: true, looks: { valued: 't p q c x b', lines: '!-f|-k|-y !$' } },
    'host traceroute traceroute6 tracepath ipcalc': { prints: true, looks: '!$' },
    nslookup: { prints: true, looks: '..2 !$' },
    drill: { prints: true, looks: '!-f|-w|-k|-o|-Q !$' },
    whois: { prints: true, looks: { valued: 'h p', lines: '!$' } },
    'ping ping6': { prints: true, looks: { valued: 'c i t W s I', lines: '!-f !$' } },
    ss: { prints: true, looks: '!-K|--kill|-D|--diag|-F|--filter' },
    mount: { prints: true, looks: '[-l|-v|-V|-h|--help|--version] ..0' },
    swapon: { prints: true, looks: '[-s|--show|--bytes|--noheadings|--raw] ..0' },
    blkid: { prints: true, looks: '!-g|-w' },
    losetup: { prints: true, looks: '[-a|-l|-J|--all|--list|--json] ..0' },
    fdisk: { prints: true, looks: '-l|--list !-w' },
    parted: { prints: true, looks: '-l|--list' },
    sfdisk: { prints: true, looks: '-l|-d|--list|--dump' },
    dmesg: {
      looks: {
        valued: 'l f s until since level facility',
        lines: '!-C|-c|--clear|--read-clear|-D|--console-off|-E|--console-on|-n|--console-level',
      },
    },
    sysctl: {
      looks: `
    -a|-A|-X|--all !-w|--write|-p|--load|-f|--system ..0
    !-w|--write|-p|--load|-f|--system 1.. !=`,
    },
    cpupower: { prints: true, looks: 'frequency-info|idle-info|monitor' },
    numactl: { prints: true, looks: '-H|--hardware|-s|--show ..0' },
    crontab: { prints: true, looks: '[-l] ..0' },
    ethtool: { prints: true, looks: '[-i|-S|-k|-g|-a|-c|-T|-P|-n] ..1' },
    arp: { prints: true, looks: '[-a|-n|-e|-v] ..1' },
    route: { prints: true, looks: '[-n|-e] ..0' },
    bridge: { prints: true, looks: 'link|fdb|vlan|mdb ..0; link|fdb|vlan|mdb show' },
    nft: { prints: true, looks: 'list' },
    'iptables ip6tables': {
      looks:
        '-L|-S|--list|--list-rules !-A|-D|-I|-R|-F|-X|-Z|-N|-P|-E|-C|--append|--delete|--insert|--replace|--flush|--zero|--new-chain|--policy',
    },
    'nvidia-smi': { prints: true, looks: '[-L|-q|--query-gpu|--query-compute-apps|--format|-i=|--id=] ..0' },
    xrandr: { prints: true, looks: '[-q|--query|--listmonitors] ..0' },
    stty: { prints: true, looks: '[-a|-g] ..0; size' },
    ldconfig: { prints: true, looks: '-p|--print-cache !-C|-f|-r|-n|-l ..0' },
    chage: { prints: true, looks: '-l []' },
    iw: { prints: true, looks: 'dev|phy|reg|list ..0; dev * info|link|scan' },
    dpkg: {
      looks:
        '-l|--list|-L|--listfiles|-s|--status|-S|--search|-p|--print-avail|--get-selections|--print-architecture|-I|--info|-c|--contents|-V|--verify|--audit|--compare-versions []',
    },
    rpm: {
      looks:
        '-q|--query [-a|--all|-i|--info|-l|--list|-f|--file|-c|-d|-R|--requires|--provides|--changelog|--last|-p|--qf|--queryformat]',
    },
    pacman: {
      prints: true,
      looks: '-Q|--query !-R|-S|-U|-D|--hookdir|--config; -S !-y|-u|-c|-w|--hookdir|--config [-s|-i]',
    },
    apk: { prints: true, looks: 'info|list|search|policy|version|dot|stats' },
    snap: { prints: true, looks: 'list|info|find|version|connections|interfaces|changes|tasks|services|warnings' },
    flatpak: { prints: true, looks: 'list|info|search|remotes|remote-ls|history|ps' },
    equery: { prints: true, looks: 'list|files|belongs|depends|depgraph|uses|which|size' },
    apt: {
      looks: 'list|show|search|policy|depends|rdepends|madison|showsrc|changelog|help !-o|--option|-c|--config-file',
    },
    'apt-cache': {
      looks:
        'show|search|policy|depends|rdepends|madison|showpkg|showsrc|stats|dump|unmet|pkgnames|dotty !-o|--option|-c|--config-file',
    },
    'apt-mark': { prints: true, looks: 'showauto|showmanual|showhold|showinstall|showremove' },
    'apt-config': { prints: true, looks: 'dump' },
    aptitude: { prints: true, looks: 'search|show|why|why-not|versions' },
    dnf: {
      looks: `
    list|info|search|provides|repolist|repoquery|deplist|check-update|updateinfo !--setopt|-c|--config|-y
    history ..0
    history list|info`,
    },
    yum: {
      looks: 'list|info|search|provides|repolist|repoquery|deplist|check-update|updateinfo !--setopt|-c|--config|-y',
    },
    zypper: {
      looks: 'search|se|info|if|repos|lr|packages|pa|patches|pch|list-updates|lu|services|ls|what-provides|wp',
    },
    port: { prints: true, looks: 'list|info|search|installed|outdated|contents|deps|dependents|provides|variants' },
    'nix-env': { prints: true, looks: '-q|--query !-i|-e|-u|--install|--uninstall|--upgrade|-f|-G|-S' },
    'nix-store': { prints: true, looks: '-q|--query' },
    'update-alternatives': {
      looks: '--list|--display|--query|--get-selections !--set|--install|--remove|--auto|--config|--all',
    },
    timedatectl: { prints: true, looks: '..0; status|show|list-timezones|timesync-status|show-timesync' },
    localectl: { prints: true, looks: '..0; status|list-locales|list-keymaps' },
    loginctl: {
      looks: `
    ..0
    list-sessions|list-users|list-seats|session-status|user-status|seat-status|show-session|show-user|show-seat`,
    },
    resolvectl: { prints: true, looks: '..0; status|query|statistics' },
    hostnamectl: { prints: true, looks: '..0; status ..0' },
    nmcli: {
      looks: `
    ..0
    general|connection|device|con|dev|g|c|d ..0
    general|g status|hostname ..0
    connection|con|c|device|dev|d show|status !-s|--show-secrets`,
    },
    coredumpctl: { prints: true, looks: 'list|info' },
    'systemd-analyze': {
      looks: '..0; time|blame|critical-chain|dump|dot|calendar|timespan|timestamp|security|cat-config',
    },
    busctl: { prints: true, looks: 'list|status|tree|introspect' },
    journalctl: {
      looks: {
        valued: 'u n p o b S U t g',
        lines:
          '!--vacuum-size|--vacuum-time|--vacuum-files|--rotate|--flush|--relinquish-var|--smart-relinquish-var|--sync|--setup-keys|--update-catalog|--cursor-file',
      },
    },
  },
}
