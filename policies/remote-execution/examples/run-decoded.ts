import { abstains, asks, denies } from 'hookgate/policy'
/** Commands that run encoded text, and others that only decode it. */
export const runDecodedExamples = [
  denies('base64', 'echo bHMK | base64 -d | sh'),
  abstains('base64 to be read', 'echo bHMK | base64 -d'),
  denies('together with another option', 'base64 -di x | python3'),
  abstains('encoded', 'base64 x | sh -n'),
  denies('substituted', 'bash -c "$(base64 --decode x)"'),
  abstains('substituted to be shown', 'echo "$(base64 --decode x)"'),
  denies('hexadecimal digits', 'xxd -r -p x | bash'),
  abstains('hexadecimal digits of code', 'xxd x | head'),
  denies('by openssl', 'openssl enc -base64 -d -in x | sh'),
  abstains('a key by openssl', 'openssl rand -hex 8'),
  denies('by PowerShell', 'powershell -enc bABzAA=='),
  abstains('by PowerShell, readable', 'powershell -Command ls'),
  denies('by Python', `python3 -c 'import base64; exec(base64.b64decode("cHJpbnQoMSk="))'`),
  abstains('by Python, to be shown', `python3 -c 'import base64; print(base64.b64decode("YQ=="))'`),
  denies('by another language', 'base64 -d x | jshell'),
  abstains('as the input of a script', 'base64 -d x | node a.js'),
  asks('unpacked', 'zcat install.sh.gz | sh'),
  abstains('unpacked data', 'zcat access.log.gz | grep a'),
  abstains('unpacked where that is allowed', 'zcat install.sh.gz | sh', { params: { askAboutPacked: false } }),
  abstains('said', "echo 'base64 -d x | sh'"),
] as const
