import { ownNetwork } from './network.ts'
import { startApplyPatch, startPatch } from '../patches.ts'
import type { Family } from '../program.ts'
import { type Row, setup } from '../row.ts'

const patcher: Row = {
  obeys: { looks: 'C', stdin: (words) => !words.some((word) => /^(?:-i|--input)/.test(word)) },
  options:
    'p strip i=read input=read o=write output=write d=names directory=names r=write reject-file=write B F fuzz V D z Y +dry-run +reverse',
  starts: startPatch,
  effects(line, recorder) {
    const [original, patch] = line.operands
    recorder.touch(patch, 'read')
    if (line.surely('dry-run')) return
    if (original !== undefined) recorder.touch(original, 'edit')
    else recorder.touch(line.value('d', 'directory') ?? { value: '.' }, 'into')
  },
}

/** Programs of the system without a family of their own: random names, set-up of shells, patches. */
export const system: Family = {
  programs: {
    'dtrace reptyr pyrasite node-inspect criu bpftrace schedtool uclampset cgclassify': {
      hindersProcesses: true,
    },
    tc: { filtersPackets: true, does: { ...ownNetwork, work: ['qdisc|class|filter add|replace|change|del|delete'] } },
    'gcore procdump createdump': {
      hindersProcesses: true,
      does: {
        area: 'secret-stores',
        shows: { '*': { object: 'the memory of a process, with its secrets', names: 'none' } },
      },
    },
    'startx login': { noHelp: true },
    'gsudo runas': { elevates: true },
    uuidgen: { output: 'random', ignoresStdin: true, looks: true, prints: true },
    'pwgen apg': { output: 'random', ignoresStdin: true },

    keychain: { output: setup(/--eval\b/) },
    dircolors: { output: setup(/^/), operands: 'read' },
    lesspipe: { output: setup(/^$/), operands: 'read' },
    'zoxide starship': { output: setup(/^init\b/) },
    atuin: { output: setup(/^init\b/), showsPast: true },
    thefuck: { output: setup(/^--alias\b/) },
    'register-python-argcomplete': { output: setup(/^[\w.-]+$/) },
    patch: { ...patcher, looks: '--dry-run !-o|--output|-r' },
    'apply_patch applypatch': { options: '+preserve-crlf', operands: 'none', starts: startApplyPatch },
    'bindfs encfs gocryptfs': { operands: 'names' },
    'envsubst gettext': { operands: 'none', looks: true, prints: true },
    'figlet toilet cowsay banner': { operands: 'none' },
    air: { options: 'c=read', operandsLast: true },
  },
}

/** Programs of a system that only look, some only with certain options. */
export const commands: Family = {
  programs: {
    ioreg: { looks: true, prints: true },
    'colrm look ptx dwarfdump dust duf zcmp pstree lastb lsmem lsns lsipc lslocks lslogins mpstat vm_stat sw_vers ncal dirs fq numfmt getcap modinfo zipgrep pdfinfo pdffonts ngettext infocmp toe pmap  hostid systeminfo ver tasklist mdls machine hostinfo lpstat dnsdomainname lsb_release atq getenforce aa-status pkg-config pkgconf dpkg-query xwininfo systemd-cgls systemd-cgtop systemd-detect-virt systemd-path qlist lsinitramfs col hexyl pwdx acpi xdpyinfo':
      { prints: true, looks: true },
    whereis: { prints: true, saysWhatChanges: true, looks: true, locatesPrograms: true },

    domainname: { prints: true, looks: '..0' },

    dmidecode: { prints: true, looks: '!--dump-bin' },

    sar: { prints: true, looks: '!-o' },
    sensors: { prints: true, looks: '!-s|--set|-c|--config-file' },

    'ghc-pkg': { prints: true, looks: 'list|describe|field|check|dump|latest|find-module' },
    'apt-file': { prints: true, looks: 'search|list|show|find !-o|--option|-c|--config-file' },

    pidstat: { prints: true, looks: '!-e' },
    lshw: { prints: true, looks: '!--dump' },

    ipcalc: { prints: true, looks: '!$' },

    cpupower: { prints: true, looks: 'frequency-info|idle-info|monitor' },

    ethtool: { prints: true, looks: '[-i|-S|-k|-g|-a|-c|-T|-P|-n] ..1' },

    bridge: { prints: true, looks: 'link|fdb|vlan|mdb ..0; link|fdb|vlan|mdb show' },

    'nvidia-smi': { prints: true, looks: '[-L|-q|--query-gpu|--query-compute-apps|--format|-i=|--id=] ..0' },
    xrandr: { prints: true, looks: '[-q|--query|--listmonitors] ..0' },

    iw: { prints: true, looks: 'dev|phy|reg|list ..0; dev * info|link|scan' },

    equery: { prints: true, looks: 'list|files|belongs|depends|depgraph|uses|which|size' },

    'apt-mark': { prints: true, looks: 'showauto|showmanual|showhold|showinstall|showremove' },
    'apt-config': { prints: true, looks: 'dump' },

    'nix-store': { prints: true, looks: '-q|--query' },

    localectl: { prints: true, looks: '..0; status|list-locales|list-keymaps' },

    coredumpctl: { prints: true, looks: 'list|info' },
    'systemd-analyze': {
      looks: '..0; time|blame|critical-chain|dump|dot|calendar|timespan|timestamp|security|cat-config',
    },
    chrome: { shared: true },
    busctl: { prints: true, looks: 'list|status|tree|introspect' },
  },
}
