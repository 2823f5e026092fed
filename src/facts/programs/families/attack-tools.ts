import { type DeedCondition, type Deeds, written } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import type { Row } from '../row.ts'
import { lookedUp, prober } from './network.ts'

const scanner: Row = {
  obeys: { when: /(?:^| )--script[ =]/ },
  options: 'iL=read oN=write oX=write oG=write oA=write p script T',
  oneDash: true,
  network: (line) => lookedUp('send', line.operands[0]),
}

/** Scanners of web sites: an address, or a list of them. */
const webScanner: Row = { options: 'u l w' }

/** Tries out weaknesses of a server, passwords on it, or how much it bears. */
const attacks: Deeds = { work: [''], hIsNoHelp: true }

/** True for a scan that does more than to look at the ports of a host: of a whole network, or with scripts that attack. */
const isThorough: DeedCondition = written(
  /--script[= ]\S{0,200}(?:vuln|exploit|brute|dos|intrusive|fuzzer|malware)|\d\/(?:\d|1\d|2\d)(?!\d)|\.\d{1,3}-\d|(?:^| )-iR(?: |$)/i,
)

const cracks: Deeds = {
  area: 'secret-stores',
  hIsNoHelp: true,
  shows: { '': { object: 'the passwords behind hashes', names: 'none' } },
  harmless: ['--help|-h|--version|-V|--benchmark|-b|--test|-I|--backend-info|--list|--example-hashes|--identify'],
}

/** Programs that are made to break into other machines, with or without the leave of those whose they are. */
export const attackTools: Family = {
  area: 'attacks',
  rows: { saysWhatStarts: true },
  programs: {
    // Ory's server of logins is called so too.
    hydra: {
      ...scanner,
      does: [
        { ...attacks, work: ['-l|-L|-P|-C|-x'] },
        {
          area: 'accounts-and-payments',
          never: ['delete *', 'revoke *', 'janitor', 'clients delete', 'keys delete', 'token revoke|delete|flush'],
          work: ['migrate sql'],
        },
      ],
    },
    'ncrack patator crowbar brutespray crackmapexec netexec kerbrute thc-hydra': { does: attacks },

    nmap: { ...scanner, does: { ...attacks, when: isThorough } },
    'masscan zmap': { ...scanner, does: attacks },
    'rustscan naabu unicornscan': { does: { ...attacks, when: isThorough } },

    nikto: { ...scanner, does: attacks },
    sqlmap: { ...webScanner, does: attacks },
    'wpscan nuclei wapiti skipfish commix xsser dalfox arachni joomscan droopescan zap-full-scan': {
      ...webScanner,
      does: attacks,
    },
    'ffuf gobuster dirb dirsearch dirbuster feroxbuster wfuzz': { ...webScanner, does: attacks },

    'slowhttptest slowloris goldeneye torshammer mhddos t50': { does: attacks },
    bombardier: { options: 'c n d r t l m method b body f H', request: 'method', does: attacks },
    hping3: { ...prober, does: { ...attacks, work: ['--flood|--faster'] } },

    'ettercap bettercap responder arpspoof mitm6 aireplay-ng wifite reaver evilginx': {
      does: {
        ...attacks,
        kind: 'attack',
        object: 'the network around this machine',
        names: 'none',
        harmless: ['--help|-h|--version|-v'],
      },
    },

    'hashcat ophcrack fcrackzip pdfcrack aircrack-ng': { does: cracks },
    // A linter's configuration, or a person's program, may be called so: it cracks what it is given.
    john: { does: { ...cracks, when: (_, { words, options }) => words.length > 0 || options.has('wordlist') } },
  },
  examples: {
    'sqlmap -u https://shop.example.com/item?id=1 --dump': 'attacks `shop.example.com`',
    'sqlmap -u http://localhost:3000/item?id=1': '',
    'sqlmap --version': '',
    'hydra -l admin -P words.txt ssh://203.0.113.7': 'attacks `203.0.113.7`',
    'hydra list clients --endpoint https://login.example.com': '',
    'ncrack -p 22 -P words.txt 198.51.100.4': 'attacks `198.51.100.4`',
    'medusa -h 198.51.100.4 -u root -P words.txt -M ssh': 'attacks `198.51.100.4`',
    'masscan 203.0.113.0/24 -p22': 'attacks `203.0.113.0/24`',
    'nmap -p 443 shop.example.com': '',
    'nmap --script vuln shop.example.com': 'attacks `shop.example.com`',
    'nmap -sV 192.168.1.0/24': '',
    'nikto -h http://localhost:8080': '',
    'ffuf -u https://shop.example.com/FUZZ -w words.txt': 'attacks `shop.example.com`',
    'nuclei -l hosts.txt': 'attacks other machines',
    'nuclei -update-templates': '',
    'bettercap -iface eth0': 'attacks the network around this machine',
    'hashcat -m 1800 hashes.txt words.txt': 'shows the passwords behind hashes',
    'hashcat -b': '',
  },
}
