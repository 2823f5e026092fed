import { describe, expect, it } from 'vitest'
import { serveFolder } from '../support/bundle-server.ts'
import { makeMachine, makeTeam } from '../support/bundles.ts'
import { folderWith } from '../support/workspace.ts'

// Keys and signatures of a repository that python-tuf 3.0.0 has made and signed. They are published as test data of go-tuf
// (client/python_interop/testdata, BSD-2-Clause, Copyright 2022 VMware, Inc.), which ours have no part in: both sides must
// agree on the form of what is signed, to the byte.
const roles = {
  root: {
    keyid: 'c3fcd2035fd2d29b36a29c9e9a52b199f85492b7cf8f9730b865dfa989eb47c8',
    public: '0cb442e869c9aead667909ba27ce7ed2c87d396fb92a180ec02b37c64f0f0404',
    sig: '1c02cfc95564dcce804f2c48de3048881e89be6b49ad3db208a870a5bd69bc7749c809613f44edadd744a01b0ead25753853dbacb955e6b29b59672f654c1809',
  },
  snapshot: {
    keyid: 'e45cfc40f8cae2e4d760b4ecec0b59238fd2fd769391998920927eec825e7829',
    public: 'ce00487915590a5748b9c08ca720c26cd233424a05f72105ccaa49411b662e83',
    sig: 'f86a214877f8009aee97b2fc0f96131714f07fa8e2e65b153f08be6d3eba1533b82fb2b774cb82d0b7969f2d5d94071c387f4891276484ba6f5e7a0e11b58f09',
  },
  targets: {
    keyid: 'f7662dc3e9eebfb74d0e53f56941c6cf5668967110d2af28b41f9371544ccd0b',
    public: '64017bbf887018ecb927029b7524ea9b50d201e232274843384204c5e6e25c06',
    sig: '708400f70b965991928ea89f925227c97886f673a4e6a32e57062fc533580812fd1b65989fd751a4c3959ff716d8f0e7a09da0d971fa726553f5cc3ea7ff600e',
  },
  timestamp: {
    keyid: '1d98f2950591737d5f49f0a00d00890ee385ed272285fba1cb89553a37813fcf',
    public: '4b937cac5c77ce5ebd18b4ce252f92b1da3e8640a033c34726fe7a821c3acd45',
    sig: '4453d37f5105ba74f203c72e241c2f3a61df82f37f66e80ba43523534c8bbe30eb06b675133662a38544c87e1087a013d2a786a718ce2f1f338f4177bedccf0e',
  },
} as const
type Role = keyof typeof roles
const names = Object.keys(roles) as readonly Role[]

const target = (sha256: string) => ({ hashes: { sha256 }, length: 9 })
const signed: Readonly<Record<Role, object>> = {
  root: {
    consistent_snapshot: true,
    keys: Object.fromEntries(
      Object.values(roles).map((role) => [
        role.keyid,
        { keytype: 'ed25519', scheme: 'ed25519', keyval: { public: role.public } },
      ]),
    ),
    roles: Object.fromEntries(names.map((name) => [name, { keyids: [roles[name].keyid], threshold: 1 }])),
  },
  snapshot: { meta: { 'targets.json': { version: 1 } } },
  targets: {
    targets: {
      'dir/file2.txt': target('04e2f59431a9d219321baf7d21b8cc797d7615dc3e9515c782c49d2075658701'),
      'file1.txt': target('55ae75d991c770d8f3ef07cbfde124ffce9c420da5db6203afab700b27e10cf9'),
    },
  },
  timestamp: { meta: { 'snapshot.json': { version: 1 } } },
}

/** @param more changes what is signed, under the same signature */
const metadata = (role: Role, more: object = {}) =>
  JSON.stringify({
    signatures: [{ keyid: roles[role].keyid, sig: roles[role].sig }],
    signed: {
      _type: role,
      expires: '2030-01-01T00:00:00Z',
      spec_version: '1.0.19',
      version: 1,
      ...signed[role],
      ...more,
    },
  })

describe('a repository that python-tuf has made', () => {
  const lookAt = async (changed?: Role) => {
    const text = (role: Role) => metadata(role, role === changed ? { expires: '2031-01-01T00:00:00Z' } : {})
    const folder = folderWith({
      'metadata/timestamp.json': text('timestamp'),
      'metadata/1.snapshot.json': text('snapshot'),
      'metadata/1.targets.json': text('targets'),
    })
    const { url } = await serveFolder(folder)
    return makeMachine(makeTeam(), url, { pinned: text('root') }).poll()
  }

  it('is verified down to its targets, and has no channel of ours', async () => {
    await expect(lookAt()).rejects.toThrow('the server has no channel `laptops`')
  })

  it.each(names)('is refused where what its %s says is not what was signed', async (role) => {
    await expect(lookAt(role)).rejects.toThrow(/has 0 of the 1 signatures|signed by 0\/1 keys|not verified/)
  })
})
