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
    ['export A=1', 'kept'],
    ['declare -p A', undefined],
    ['. ./.env', 'kept'],
    ['[ -n "$A" ]', 'counts'],
    ['set -x', 'traces'],
    ['set -o xtrace', 'traces'],
    ['set -e', undefined],
    ['bash -x a.sh', 'traces'],
    ['printenv', 'variables'],
    ['env A=1', 'variables'],
    ['env A=1 ls', undefined],
    ['xargs -n1', 'form'],
    ['xargs rm', undefined],
    // It says which of the names in the file there are not.
    ['wc --files0-from=a', undefined],
    ['wc -l "$A"', 'counts'],
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

it.each([
  ['grep -Eoe "^A=" .env', { by: 'pattern', text: '^A=', extended: true, only: true }],
  ['egrep "A|B" .env', { by: 'pattern', text: 'A|B', extended: true }],
  ['zgrep -i a a.gz', { by: 'pattern', text: 'a' }],
  ['rg -n --ignore-case a', { by: 'pattern', text: 'a', extended: true }],
  // Other lines, several patterns, or one that is not known.
  ['grep -A3 a b', undefined],
  ['grep -v a b', undefined],
  ['grep -e a -e b c', undefined],
  ['grep "$A" b', undefined],
  ['rg -r x a', undefined],
  ['grep -F a.b c', undefined],
  ['cut -d= -f1 .env', { by: 'fields', text: '1', separator: '=' }],
  ['cut --fields 2 --delimiter : a', { by: 'fields', text: '2', separator: ':' }],
  ['cut -d= -f1 --complement a', { by: 'fields', text: '', separator: '=' }],
  ['cut -c1-9 a', { by: 'characters', text: '' }],
  ['gsed -nE -e "s/a/b/p" -e d c', { by: 'edits', text: 's/a/b/p;d', extended: true, only: true }],
  ['sed -i s/a/b/ c', undefined],
  ['perl -lpe s/a/b/ c', { by: 'edits', text: 's/a/b/', extended: true }],
  ['perl -ne print c', undefined],
  ["nawk -F= '{print $1}' c", { by: 'rules', text: '{print $1}', separator: '=' }],
  ["awk -v FS=: -F= '{print $1}' c", undefined],
  ['jq -r .a.b c', { by: 'query', text: '.a.b' }],
  ['yq e .a c', { by: 'query', text: '.a' }],
  ['gojq -f a.jq c', undefined],
  ['cat a', undefined],
])('what a filter picks, %s: %o', (text, filter) => {
  expect(commandOf(text)?.filter).toEqual(filter)
})

it('a pattern that is too long to be tried is no filter', () => {
  expect(commandOf(`grep -e ${'a'.repeat(4000)} c`)?.filter).toEqual({ by: 'pattern', text: 'a'.repeat(4000) })
  expect(commandOf(`grep -e ${'a'.repeat(4001)} c`)?.filter).toBeUndefined()
})
