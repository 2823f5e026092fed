import { describe, expect, it } from 'vitest'
import { impactsOfTool } from '../../src/facts/impacts/mcp/read-tool.ts'
import { impactsIn } from '../../src/facts/impacts/read-impacts.ts'
import type { Impact } from '../../src/model/impact.ts'
import { factsOf } from '../support/shell-facts.ts'

/** Ways to send the same text to the same place. */
const sent: readonly string[] = [
  'curl -d a=1 https://api.example.com/v1/users',
  'curl -sX POST --url https://api.example.com/v1/users --data-raw a=1',
  'wget -qO- --post-data=a=1 https://api.example.com/v1/users',
  'http POST https://api.example.com/v1/users a=1',
  'xh https://api.example.com/v1/users a=1',
  'irm -Method Post -Uri https://api.example.com/v1/users -Body a=1',
  'Invoke-WebRequest https://api.example.com/v1/users -me post -bo a=1',
  `pwsh -c 'irm -Method Post -Body a=1 https://api.example.com/v1/users'`,
  `lwp-request -m POST https://api.example.com/v1/users`,
  `python3 -c 'import requests; requests.post("https://api.example.com/v1/users", data="a=1")'`,
  `node -e 'fetch("https://api.example.com/v1/users", { method: "POST", body: "a=1" })'`,
  `ruby -e 'require "net/http"; Net::HTTP.post(URI("https://api.example.com/v1/users"), "a=1")'`,
]

it.each(sent)('the network of a request that sends does not depend on its program: %s', (command) => {
  const networks = factsOf(command).commands.flatMap(({ network }) => network ?? [])
  const [network] = networks
  expect(networks).toHaveLength(1)
  expect(network).toEqual({
    kind: 'request',
    direction: 'both',
    host: 'api.example.com',
    url: 'https://api.example.com/v1/users',
  })
})

/** Ways to delete the same thing. */
const deleted: readonly (string | { readonly name: string; readonly input: Readonly<Record<string, unknown>> })[] = [
  'curl -X DELETE https://api.example.com/v1/users/1',
  'wget --method=DELETE https://api.example.com/v1/users/1',
  'http DELETE https://api.example.com/v1/users/1',
  'irm -Method Delete https://api.example.com/v1/users/1',
  'Invoke-RestMethod -Uri https://api.example.com/v1/users/1 -Meth DELETE',
  `pwsh -c 'irm -Method Delete https://api.example.com/v1/users/1'`,
  `python3 -c 'import requests; requests.delete("https://api.example.com/v1/users/1")'`,
  `node -e 'fetch("https://api.example.com/v1/users/1", { method: "DELETE" })'`,
  { name: 'mcp__fetch__fetch', input: { url: 'https://api.example.com/v1/users/1', method: 'DELETE' } },
]

describe('a request that deletes', () => {
  const impactsOf = (call: (typeof deleted)[number]): readonly Impact[] =>
    typeof call === 'string' ? impactsIn(factsOf(call)) : impactsOfTool(call)
  it.each(deleted.map((call) => [typeof call === 'string' ? call : call.name, call] as const))(
    'has the same impact by %s',
    (_, call) => {
      expect(impactsOf(call)).toMatchObject([
        { kind: 'delete', thing: 'account', names: ['api.example.com/v1/users/1'], undo: 'never' },
      ])
    },
  )
})
