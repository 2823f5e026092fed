import type { Looks } from '../look.ts'

/** Programs of a system that only look, some only with certain options. */
export const commands: Looks = {
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
    systemd-detect-virt systemd-path qlist seq lsinitramfs bzmore zmore false yes wc locale col hexyl
    pwdx acpi xdpyinfo difft csvstat csvlook csvcut csvgrep csvsort csvjson tail
  `]: true,
  'sort gsort': { valued: 'k t S', lines: '!-o|--output|--compress-program|--files0-from' },
  'uniq guniq': { valued: 'f s w skip-fields skip-chars check-chars', lines: '..1' },
  printf: '!-v',
  hostname: '!-F|-b ..0',
  'domainname arch alias': '..0',
  ssh: '-V [] ..0',
  'script split': '--help|--version ..0',
  tree: { valued: 'L P I', lines: '!-o|--output' },
  xxd: { valued: 'l s c g o n len seek cols groupsize offset name', lines: '!-r|--revert|-R ..1' },
  file: '!-C|--compile|-m|--magic-file',
  man: '!-P|--pager|-H|--html|-X|--gxditview|-C|--config-file|-l|--local-file',
  info: '!-o|--output|--dribble|--restore',
  rg: '!--pre|--hostname-bin',
  'fd fdfind': '!-x|-X|--exec|--exec-batch',
  ag: '!--pager',
  ack: '!--pager|--ackrc|--output',
  'bat batcat': '!--pager|--config-file|--generate-config-file',
  'jaq xq': '!-i|--in-place',
  yq: { valued: 'o p', lines: '!-i|--inplace|--in-place|-s|--split-exp|--split-exp-file' },
  sdiff: '!-o|--output|--diff-program',
  diff3: '!--diff-program',
  'diff colordiff': '!-l|--paginate',
  cloc: '!--out|--report-file|--extract-with|--sum-reports|--sql|--write-lang-def',
  'scc shuf': '!-o|--output',
  base64: { valued: 'w wrap i input b break', lines: '!-o|--output' },
  iconv: { valued: 'f t from-code to-code', lines: '!-o|--output' },
  lastlog: '!-C|--clear|-S|--set',
  dmidecode: '!--dump-bin',
  'sar iostat': '!-o',
  sensors: '!-s|--set|-c|--config-file',
  delta: '!--pager|--paging|--config',
  compgen: '[-a|-b|-c|-d|-e|-f|-k|-u|-v|-A=]',
  'ghc-pkg': 'list|describe|field|check|dump|latest|find-module',
  'apt-file': 'search|list|show|find !-o|--option|-c|--config-file',
  'direnv ufw': 'status|version',
  'ast-grep': `
    run|scan !-U|--update-all|-i|--interactive|-c|--config
    -p|--pattern !-U|--update-all|-i|--interactive|-c|--config ..3`,
  'nc ncat': '-z [-v|-n|-4|-6|-u|-w=] !$',
  pidstat: '!-e',
  lshw: '!--dump',
  lsof: '!-D',
  lspci: '!-A|-O|-H',
  history: '!-a|-w|-r|-n|-c|-d|-s ..1',
  set: '-e|-u|-x|-v|-o|-E|-f|-C [] ..1',
  shopt: '[-s|-u|-p|-q]',
  umask: '[-S|-p] ..0',
  hash: '[-l|-t|-r] ..0',
  enable: '[-a|-n|-p|-s] ..0',
  trap: '[-l|-p] ..0',
  bind: '[-l|-p|-P|-v|-V|-s|-S|-X] ..0',
  complete: '[-p] ..0',
  kill: '-l|-L',
  mktemp: '-u',
  fuser: '!-k|--kill',
  dig: { valued: 't p q c x b', lines: '!-f|-k|-y !$' },
  'host traceroute traceroute6 tracepath ipcalc': '!$',
  nslookup: '..2 !$',
  drill: '!-f|-w|-k|-o|-Q !$',
  whois: { valued: 'h p', lines: '!$' },
  'ping ping6': { valued: 'c i t W s I', lines: '!-f !$' },
  ss: '!-K|--kill|-D|--diag|-F|--filter',
  mount: '[-l|-v|-V|-h|--help|--version] ..0',
  swapon: '[-s|--show|--bytes|--noheadings|--raw] ..0',
  blkid: '!-g|-w',
  losetup: '[-a|-l|-J|--all|--list|--json] ..0',
  fdisk: '-l|--list !-w',
  parted: '-l|--list',
  sfdisk: '-l|-d|--list|--dump',
  dmesg: {
    valued: 'l f s until since level facility',
    lines: '!-C|-c|--clear|--read-clear|-D|--console-off|-E|--console-on|-n|--console-level',
  },
  sysctl: `
    -a|-A|-X|--all !-w|--write|-p|--load|-f|--system ..0
    !-w|--write|-p|--load|-f|--system 1.. !=`,
  cpupower: 'frequency-info|idle-info|monitor',
  numactl: '-H|--hardware|-s|--show ..0',
  crontab: '[-l] ..0',
  ethtool: '[-i|-S|-k|-g|-a|-c|-T|-P|-n] ..1',
  arp: '[-a|-n|-e|-v] ..1',
  route: '[-n|-e] ..0',
  bridge: 'link|fdb|vlan|mdb ..0; link|fdb|vlan|mdb show',
  nft: 'list',
  'iptables ip6tables':
    '-L|-S|--list|--list-rules !-A|-D|-I|-R|-F|-X|-Z|-N|-P|-E|-C|--append|--delete|--insert|--replace|--flush|--zero|--new-chain|--policy',
  'nvidia-smi': '[-L|-q|--query-gpu|--query-compute-apps|--format|-i=|--id=] ..0',
  xrandr: '[-q|--query|--listmonitors] ..0',
  stty: '[-a|-g] ..0; size',
  ldconfig: '-p|--print-cache !-C|-f|-r|-n|-l ..0',
  chage: '-l []',
  iw: 'dev|phy|reg|list ..0; dev * info|link|scan',
  dpkg: '-l|--list|-L|--listfiles|-s|--status|-S|--search|-p|--print-avail|--get-selections|--print-architecture|-I|--info|-c|--contents|-V|--verify|--audit|--compare-versions []',
  rpm: '-q|--query [-a|--all|-i|--info|-l|--list|-f|--file|-c|-d|-R|--requires|--provides|--changelog|--last|-p|--qf|--queryformat]',
  pacman: '-Q|--query !-R|-S|-U|-D|--hookdir|--config; -S !-y|-u|-c|-w|--hookdir|--config [-s|-i]',
  apk: 'info|list|search|policy|version|dot|stats',
  snap: 'list|info|find|version|connections|interfaces|changes|tasks|services|warnings',
  flatpak: 'list|info|search|remotes|remote-ls|history|ps',
  equery: 'list|files|belongs|depends|depgraph|uses|which|size',
  apt: 'list|show|search|policy|depends|rdepends|madison|showsrc|changelog|help !-o|--option|-c|--config-file',
  'apt-cache':
    'show|search|policy|depends|rdepends|madison|showpkg|showsrc|stats|dump|unmet|pkgnames|dotty !-o|--option|-c|--config-file',
  'apt-mark': 'showauto|showmanual|showhold|showinstall|showremove',
  'apt-config': 'dump',
  aptitude: 'search|show|why|why-not|versions',
  dnf: `
    list|info|search|provides|repolist|repoquery|deplist|check-update|updateinfo !--setopt|-c|--config|-y
    history ..0
    history list|info`,
  yum: 'list|info|search|provides|repolist|repoquery|deplist|check-update|updateinfo !--setopt|-c|--config|-y',
  zypper: 'search|se|info|if|repos|lr|packages|pa|patches|pch|list-updates|lu|services|ls|what-provides|wp',
  port: 'list|info|search|installed|outdated|contents|deps|dependents|provides|variants',
  'nix-env': '-q|--query !-i|-e|-u|--install|--uninstall|--upgrade|-f|-G|-S',
  'nix-store': '-q|--query',
  'update-alternatives': '--list|--display|--query|--get-selections !--set|--install|--remove|--auto|--config|--all',
  timedatectl: '..0; status|show|list-timezones|timesync-status|show-timesync',
  localectl: '..0; status|list-locales|list-keymaps',
  loginctl: `
    ..0
    list-sessions|list-users|list-seats|session-status|user-status|seat-status|show-session|show-user|show-seat`,
  resolvectl: '..0; status|query|statistics',
  hostnamectl: '..0; status ..0',
  nmcli: `
    ..0
    general|connection|device|con|dev|g|c|d ..0
    general|g status|hostname ..0
    connection|con|c|device|dev|d show|status !-s|--show-secrets`,
  coredumpctl: 'list|info',
  'systemd-analyze': '..0; time|blame|critical-chain|dump|dot|calendar|timespan|timestamp|security|cat-config',
  busctl: 'list|status|tree|introspect',
  journalctl: {
    valued: 'u n p o b S U t g',
    lines:
      '!--vacuum-size|--vacuum-time|--vacuum-files|--rotate|--flush|--relinquish-var|--smart-relinquish-var|--sync|--setup-keys|--update-catalog|--cursor-file',
  },
}
