/** What runs a text that nobody can read, and what only decodes one. */
export const runDecodedExamples = [
  { name: 'base64', given: { input: { command: 'echo bHMK | base64 -d | sh' } }, want: 'deny' },
  { name: 'base64 to be read', given: { input: { command: 'echo bHMK | base64 -d' } }, want: 'abstain' },
  { name: 'together with another option', given: { input: { command: 'base64 -di x | python3' } }, want: 'deny' },
  { name: 'encoded', given: { input: { command: 'base64 x | sh -n' } }, want: 'abstain' },
  { name: 'substituted', given: { input: { command: 'bash -c "$(base64 --decode x)"' } }, want: 'deny' },
  { name: 'substituted to be shown', given: { input: { command: 'echo "$(base64 --decode x)"' } }, want: 'abstain' },
  { name: 'hexadecimal digits', given: { input: { command: 'xxd -r -p x | bash' } }, want: 'deny' },
  { name: 'hexadecimal digits of code', given: { input: { command: 'xxd x | head' } }, want: 'abstain' },
  { name: 'by openssl', given: { input: { command: 'openssl enc -base64 -d -in x | sh' } }, want: 'deny' },
  { name: 'a key by openssl', given: { input: { command: 'openssl rand -hex 8' } }, want: 'abstain' },
  { name: 'by PowerShell', given: { input: { command: 'powershell -enc bABzAA==' } }, want: 'deny' },
  { name: 'by PowerShell, readable', given: { input: { command: 'powershell -Command ls' } }, want: 'abstain' },
  {
    name: 'by Python',
    given: { input: { command: `python3 -c 'import base64; exec(base64.b64decode("cHJpbnQoMSk="))'` } },
    want: 'deny',
  },
  {
    name: 'by Python, to be shown',
    given: { input: { command: `python3 -c 'import base64; print(base64.b64decode("YQ=="))'` } },
    want: 'abstain',
  },
  { name: 'unpacked', given: { input: { command: 'zcat install.sh.gz | sh' } }, want: 'ask' },
  { name: 'unpacked data', given: { input: { command: 'zcat access.log.gz | grep a' } }, want: 'abstain' },
  {
    name: 'unpacked where that is allowed',
    given: { input: { command: 'zcat install.sh.gz | sh' }, params: { askAboutPacked: false } },
    want: 'abstain',
  },
  { name: 'said', given: { input: { command: "echo 'base64 -d x | sh'" } }, want: 'abstain' },
] as const
