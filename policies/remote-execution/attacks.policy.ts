import { abstains, answerTo, asks, definePolicy, strictest } from 'hookgate/policy'

export default definePolicy({
  id: 'attacks',
  severity: 'high',
  description: 'Asks before a program attacks another machine: tries its weaknesses or passwords, or floods it',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['attacks'] },
  decide: ({ impacts }) =>
    strictest(impacts.filter(({ area }) => area === 'attacks').map((impact) => answerTo(impact))),
  examples: [
    asks('a database behind a site', 'sqlmap -u https://shop.example.com/?id=1 --batch'),
    abstains('a site on this machine', 'sqlmap -u http://localhost:3000/?id=1 --batch'),
    asks('passwords', 'hydra -l admin -P words.txt ssh://203.0.113.7'),
    asks('a whole network', 'masscan 203.0.113.0/24 -p22'),
    abstains('the network around this machine', 'nmap -sV 192.168.1.0/24'),
    abstains('a port', 'nmap -p 443 shop.example.com'),
    asks('known weaknesses', 'nmap --script vuln shop.example.com'),
    asks('how much it bears', 'hping3 --flood shop.example.com'),
    abstains('its help', 'sqlmap --help'),
    abstains('only printed', 'echo sqlmap -u https://shop.example.com'),
  ],
})
