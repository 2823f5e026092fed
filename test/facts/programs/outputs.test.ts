import { describe, expect, it } from 'vitest'
import { shellFacts } from '../../../src/facts/shell/shell-facts.ts'

const commandOf = (text: string) => shellFacts(text, { cwd: '/w', workspaceRoots: ['/w'] }).commands[0]
const outputOf = (text: string) => commandOf(text)?.output

describe('what a command puts out', () => {
  it.each([
    ['rg -l TOKEN src', 'counts'],
    ['grep --count a b', 'counts'],
    ['ack --count a', 'counts'],
    ['diff -q a b', 'counts'],
    ['git grep -l a', 'counts'],
    ['git show --stat HEAD', 'counts'],
    ['git log a.ts', 'counts'],
    ['git cat-file -t HEAD', 'counts'],
    // The pattern is `-c`, and a text that is not known may be `-e`.
    ['grep -e -c a', 'matches'],
    ['grep $X -c a', 'matches'],
    ['rg -L a src', 'matches'],
    ['git log -p a.ts', 'history'],
    ['git show --stat -p', 'history'],
    ['git -C sub diff', 'history'],
    ['git bundle create a.bundle --all', 'repository'],
    ['git bundle verify a.bundle', undefined],
    ['tar xf a.tgz', undefined],
    ['tar czf a.tgz src', 'archive'],
    ['tar xOf a.tgz', 'unpacked'],
    ['7z x a.7z', undefined],
    ['7z a a.7z src', 'archive'],
    ['cpio -i', undefined],
    ['cpio -o', 'archive'],
    ['pg_dumpall', 'rows'],
    ['pg_dump -d shop', 'rows'],
    ['pg_dump --schema-only shop', undefined],
    ['mysqldump -d shop', undefined],
    ['pgcli -h db -c "select 1"', 'rows'],
    ['mycli -e "show tables"', 'rows'],
    ['psql -c "vacuum"', undefined],
    ['clickhouse client --query "select 1"', 'rows'],
    ['openssl rand -hex 8', 'random'],
    ['openssl rsa -in a.pem -pubout', 'public'],
    ['openssl rsa -in a.pem -pubout -text', 'parts'],
    ['ssh-keygen -yf id', 'public'],
    ['ssh-keygen -t ed25519', undefined],
    ['gmktemp', 'temporary'],
  ])('%s: %s', (text, output) => {
    expect(outputOf(text)).toBe(output)
  })
})

describe('the names that a command looks for or narrows a search to', () => {
  it.each([
    ["find . -name '*.pem' -o ! -name a.env -type f -ipath '*/b'", ['*.pem', '*/b']],
    ["grep -r KEY --include='*.env' .", ['*.env']],
    ["rg -g '.env*' -g '!a' KEY", ['.env*']],
    ['fdfind .env src', ['.env']],
    ['fd -e pem -x cat', ['*.pem']],
    ['fd --extension=key . /etc', ['*.key', '.']],
    ['find . -name id_rsa -print -o -delete', ['id_rsa']],
    ["find . -delete -name '*.o'", ['*.o']],
    ["bfs /srv -iname '*.kdbx' -exec cat {} +", ['*.kdbx']],
    ["ug -r KEY --include='*.env' .", ['*.env']],
    ['plocate id_rsa', ['id_rsa']],
    ['mdfind -name id_rsa', ['id_rsa']],
    ['grep KEY a', undefined],
  ])('%s', (text, names) => {
    expect(commandOf(text)?.search?.names).toEqual(names)
  })
})

describe('the content that a command reads', () => {
  const readBy = (text: string) =>
    commandOf(text)?.paths.flatMap(({ access, metadata, written }) =>
      access === 'read' && metadata !== true ? [written] : [],
    )
  it.each([
    ['git log -- .env', []],
    ['git log -p -- .env', ['.env']],
    ['git archive HEAD a/b.ts', ['a/b.ts']],
    ['git show v1:.env', ['.env']],
    ['echo a < .env', []],
    ['[ -n a ] < .env', []],
    ['sort < .env', ['.env']],
    ['sort 3< .env', ['.env']],
  ])('%s', (text, read) => {
    expect(readBy(text)).toEqual(read)
  })
  it.each(['sftp a.example', 'lftp a.example', 'tftp a.example', 'smbclient //a.example/b'])(
    'has the files that %s is told on stdin to send',
    (text) => {
      expect(readBy(`${text} <<< 'put .env'`)).toEqual(['.env'])
    },
  )
})
