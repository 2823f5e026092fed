import type { Family } from '../program.ts'

/** Programs of a system that only look, some only with certain options. */
export const commands: Family = {
  programs: {
    ioreg: { looks: true, prints: true },
    'colrm look ptx dwarfdump dust duf zcmp pidof pstree lastb lsmem lsns lsipc lslocks lslogins mpstat vm_stat sw_vers ncal whereis dirs fq numfmt getcap modinfo zipgrep pdfinfo pdffonts ngettext infocmp toe pmap gstat ghead gtail gcat gwc gdu greadlink grealpath gcut gtr gseq gecho gegrep hostid systeminfo ver tasklist mdls machine hostinfo lpstat jot dnsdomainname lsb_release atq getenforce aa-status pkg-config pkgconf dpkg-query xwininfo systemd-cgls systemd-cgtop systemd-detect-virt systemd-path qlist lsinitramfs col hexyl pwdx acpi xdpyinfo':
      { prints: true, looks: true },

    guniq: { prints: true, looks: { valued: 'f s w skip-fields skip-chars check-chars', lines: '..1' } },

    domainname: { prints: true, looks: '..0' },

    xq: { prints: true, looks: '!-i|--in-place' },

    dmidecode: { prints: true, looks: '!--dump-bin' },

    sar: { prints: true, looks: '!-o' },
    sensors: { prints: true, looks: '!-s|--set|-c|--config-file' },

    'ghc-pkg': { prints: true, looks: 'list|describe|field|check|dump|latest|find-module' },
    'apt-file': { prints: true, looks: 'search|list|show|find !-o|--option|-c|--config-file' },

    'ast-grep': {
      looks: `
    run|scan !-U|--update-all|-i|--interactive|-c|--config
    -p|--pattern !-U|--update-all|-i|--interactive|-c|--config ..3`,
    },

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
    busctl: { prints: true, looks: 'list|status|tree|introspect' },
  },
}
