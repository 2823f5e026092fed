import { describe, expect, it } from 'vitest'
import { touches } from './described.ts'

type Case = readonly [command: string, ...paths: readonly string[]]
const table: Readonly<Record<string, readonly Case[]>> = {
  'what shows a file reads it': [
    ['cat a ../b', 'read a', 'read ~/b'],
    ['cat -n -- -x', 'read -x'],
    ['cat -'],
    ['cat --help a'],
    ['head -n 5 a', 'read a'],
    ['head -5 a', 'read a'],
    ['tail -fn20 a', 'read a'],
    ['strings -n4 ~/.ssh/id', 'read ~/.ssh/id'],
    ['strings --version'],
    ['xxd -g 1 k', 'read k'],
    ['xxd a b', 'read a', 'read b', 'write b'],
    ['less -k keys f', 'read keys', 'read f'],
    ['base64 -d a', 'read a'],
    ['sort -o out -k 2 in', 'write out', 'read in'],
    ['sort --files0-from=list', 'read list'],
    ['sort --out=o in', 'write o', 'read in'],
    ['uniq a b', 'read a', 'write b'],
    ['cut -d : -f 1 /etc/passwd', 'read /etc/passwd'],
    ['tr a b'],
    ['diff -r a b', 'read a -r', 'read b -r'],
    ['echo /etc/shadow ~/.ssh'],
    ['printf %s /etc/shadow'],
    ['cat $FILE', 'read ?$FILE'],
    ['cat ~/.aws/credential?', 'read ~/.aws/credential?'],
  ],

  'tidy writes its output files, and its operands only if it modifies them in place': [
    ['tidy a.html', 'read a.html'],
    ['tidy -q -w 80 -o out.html a.html', 'write out.html', 'read a.html'],
    [
      'tidy -config c -f log -m a.html b.html',
      'read c',
      'write log',
      'read a.html',
      'write a.html',
      'read b.html',
      'write b.html',
    ],
    ['tidy -imq a.html', 'read a.html', 'write a.html'],
    ['tidy -change a.html', 'read a.html', 'write a.html'],
    ['tidy --write-back yes a.html', 'read a.html', 'write a.html'],
    ['tidy --write-back no --output-file out a.html', 'write out', 'read a.html'],
    ['tidy -help'],
  ],

  'a converter of line ends edits its operands, and only reads the file that it converts into another': [
    ['dos2unix a.txt b.txt', 'read a.txt', 'write a.txt', 'read b.txt', 'write b.txt'],
    ['dos2unix -n in.txt out.txt', 'read in.txt', 'read out.txt', 'write out.txt'],
  ],

  'what lists files reads their names': [
    ['ls -la /root', 'read /root -m'],
    ['stat -c %s a', 'read a -m'],
    ['du -sh -d 1 a', 'read a -m'],
    ['test -e /etc/passwd', 'read /etc/passwd -m'],
    ['find / -name id_rsa', 'read / -r -m'],
    ['find', 'read . -r -m'],
    ['cd /etc', 'read /etc -m'],
    ['file --files-from=l a', 'read l', 'read a -m'],
  ],

  'what deletes': [
    ['rm a', 'delete a'],
    ['rm -rf /', 'delete / -r'],
    ['rm --recursive a', 'delete a -r'],
    ['rm --recurs a', 'delete a -r'],
    ['rm -- -rf a', 'delete -rf', 'delete a'],
    ['rm -rf *', 'delete * -r'],
    ['rm -rf "*"', 'delete * -r'],
    ['rm --help /'],
    ['rmdir -p a', 'delete a'],
    ['unlink a', 'delete a'],
    ['shred -u a', 'write a', 'delete a'],
    ['shred -n 3 a', 'write a'],
    ['srm -r a', 'delete a -r'],
    ['find / -delete', 'read / -r -m', 'delete / -r'],
    ['find / -name --help -delete', 'read / -r -m', 'delete /**/--help -r'],
    ['find a b -name "*.o" -delete', 'read a -r -m', 'delete a/**/*.o -r', 'read b -r -m', 'delete b/**/*.o -r'],
    ['find . ! -name keep -delete', 'read . -r -m', 'delete . -r'],
    ['find a ( -name b -o -name c ) -delete', 'read a -r -m', 'delete a/**/b -r', 'delete a/**/c -r'],
    ['find a ( -name b -o -type f ) -delete', 'read a -r -m', 'delete a -r'],
    ['find a ! ( -name b -o -name c ) -delete', 'read a -r -m', 'delete a -r'],
    ['find a -name b -prune -o -name c -delete', 'read a -r -m', 'delete a/**/c -r'],
    ['find a -name b -prune -o -delete', 'read a -r -m', 'delete a -r'],
    ['find . -newer ref -print', 'read ref -m', 'read . -r -m'],
    ['find . -exec rm {} ; -fprint out', 'write out', 'read . -r -m'],
    ['git rm -r src', 'delete src -r'],
    ['git rm --cached .env'],
    ['git clean -fdx', 'delete . -r'],
    ['git clean -n'],
  ],

  'what copies, moves and links': [
    ['cp a b', 'read a', 'write b'],
    ['cp -r a /tmp/', 'read a -r', 'write /tmp -r'],
    ['cp a b /tmp', 'read a', 'read b', 'write /tmp -r'],
    ['cp -t /tmp a', 'read a', 'write /tmp -r'],
    ['cp --attributes-only a b', 'read a -m', 'write b -m'],
    ['mv a b', 'read a -r', 'delete a -r', 'write b'],
    ['mv -t /tmp /*', 'read /* -r', 'delete /* -r', 'write /tmp -r'],
    ['ln a b', 'read a', 'write b'],
    ['ln -s /etc/shadow b', 'read /etc/shadow -m', 'write b'],
    ['install -m 755 a /usr/bin/', 'read a', 'write /usr/bin'],
    ['install -d x', 'write x'],
    ['dd if=a of=/dev/sda bs=1M', 'read a', 'write /dev/sda'],
    ['dd if=/dev/zero count=1'],
    ['tee -a log', 'write log'],
    ['truncate -s 0 a', 'write a'],
    ['touch -r ref a', 'read ref -m', 'write a'],
  ],

  'what changes modes, owners and times': [
    ['chmod -R 777 /', 'write / -r -m'],
    ['chmod -x a', 'write a -m'],
    ['chmod --reference r a b', 'read r -m', 'write a -m', 'write b -m'],
    ['chmod -R --reference --help /', 'read --help -m', 'write / -r -m'],
    ['chmod --help /'],
    ['chown -R u:g /etc', 'write /etc -r -m'],
    ['chattr -i a', 'write a -m'],
    ['chattr +i a', 'write a -m'],
    ['setfacl -m u:x:r a', 'write a -m'],
  ],

  'what searches and edits': [
    ['grep /etc/shadow a', 'read a'],
    ['grep -e x -f pats a', 'read pats', 'read a'],
    ['grep -r x ~/.ssh', 'read ~/.ssh -r'],
    ['grep -r x', 'read . -r'],
    ['rg x', 'read . -r'],
    ['rg --files a', 'read a -r'],
    ['ag -f x a', 'read x -r', 'read a -r'],
    ['sed -n 1p a', 'read a'],
    ['sed -i s/a/b/ a b', 'read a', 'read b', 'write a', 'write b'],
    ['sed -i.bak -e s/a/b/ a', 'read a', 'write a'],
    ['sed "w /etc/x" a', 'read a', 'write /etc/x'],
    ['sed "s/a/b/w out" a', 'read a', 'write out'],
    ["sed 's/r /etc/' a", 'read a'],
    ['awk 1 a', 'read a'],
    ['awk -f prog x=1 a', 'read prog', 'read a'],
    ['jq .a/b f', 'read f'],
    ['jq --arg a b .x f', 'read f'],
    ['jq --slurpfile a b .x f', 'read b', 'read f'],
    ['yq -i .a f', 'read f', 'write f'],
    ['vim +10 a', 'read a', 'write a'],
    ['vim -R a', 'read a'],
    ['patch a p', 'read p', 'read a', 'write a'],
    ['patch -i p', 'read p', 'write . -r'],
    ['strip -o out a', 'write out', 'read a', 'write a'],
  ],

  'what typesets': [
    ['typst compile a.typ out/a.pdf', 'read a.typ', 'write out/a.pdf'],
    ['typst c --root .. a.typ', 'read ~ -m', 'read a.typ', 'write a.pdf'],
    ['typst fonts --variants'],
  ],

  'what packs and unpacks': [
    ['tar cf x y', 'write x', 'read y -r'],
    ['tar -czf x -C /etc y', 'write x', 'read /etc/y -r'],
    ['tar --create --file=x y', 'write x', 'read y -r'],
    ['tar xf x', 'read x', 'write . -r'],
    ['tar xf x -C /', 'read x', 'write / -r'],
    ['tar tf x', 'read x'],
    ['tar cf - y', 'read y -r'],
    ['tar cf x --no-recursion y', 'write x', 'read y'],
    ['tar cf x --remove-files y', 'write x', 'read y -r', 'delete y -r'],
    ['tar cXf no x y', 'read no', 'write x', 'read y -r'],
    ['TAR_OPTIONS="-c -f x" tar -- y', 'write x', 'read y -r'],
    ['zip -r x y', 'write x', 'read y -r'],
    ['zip -rm x y', 'write x', 'read y -r', 'delete y -r'],
    ['unzip x -d /tmp', 'write /tmp -r', 'read x'],
    ['unzip x', 'read x', 'write . -r'],
    ['unzip -l x', 'read x'],
    ['7z a x y', 'write x', 'read y -r'],
    ['7z x a -o/tmp', 'read a', 'write /tmp -r'],
    ['gzip a', 'read a', 'write a.gz', 'delete a'],
    ['gzip -c a', 'read a'],
    ['gunzip -k a.gz', 'read a.gz', 'write a'],
    ['zstd a', 'read a', 'write a.zst'],
  ],

  'what fetches and sends by HTTP': [
    ['curl https://x.y/f'],
    ['curl -o f https://x.y', 'write f'],
    ['curl -O https://x.y/a/f.sh?x=1', 'write f.sh'],
    ['curl --output-dir d -o f x.y', 'write d/f'],
    ['curl -d @f x.y', 'read f'],
    ['curl -d @- x.y'],
    ['curl -d f x.y'],
    ['curl --data-b @f x.y', 'read f'],
    ['curl --data-raw @f x.y'],
    ['curl --data-urlencode n@f x.y', 'read f'],
    ['curl --data-urlencode n=a@f x.y'],
    ['curl -sFname=@.env x.y', 'read .env'],
    ['curl -F "a=<f;type=text/plain" x.y', 'read f'],
    ['curl -F a=b x.y'],
    ['curl -F "a=@f,g" x.y', 'read f', 'read g'],
    ['curl --form-string a=@f x.y'],
    ['curl -T f x.y', 'read f'],
    ['curl -K cfg', 'read cfg'],
    ['curl -H @f x.y', 'read f'],
    ['curl -b jar x.y', 'read jar'],
    ['curl -b a=b x.y'],
    ['curl -D --help x.y', 'write --help'],
    ['curl --url file:///etc/passwd', 'read /etc/passwd'],
    ['wget x.y/f', 'write f'],
    ['wget x.y', 'write x.y'],
    ['wget -O- x.y/f'],
    ['wget -O f x.y', 'write f'],
    ['wget --post-f=.env -O- x.y', 'read .env'],
    ['wget -P /tmp x.y/f', 'write /tmp -r', 'write /tmp -r', 'write /tmp/f'],
    ['wget -i list -q', 'read list', 'write . -r'],
    ['http x.y a=b'],
    ['http POST x.y a@f b=@g', 'read f', 'read g'],
  ],

  'what copies between machines': [
    ['scp a h.x:/b', 'read a'],
    ['scp -i k h.x:/b .', 'read k', 'write .'],
    ['scp -r a b', 'read a -r', 'write b -r'],
    ['rsync -a a/ h.x:b', 'read a -r'],
    ['rsync -a --delete a/ b/', 'read a -r', 'write b -r', 'delete b -r'],
    ['rsync --delete a/ h.x:/', 'read a -r'],
    ['rsync -an --delete a/ b/', 'read a -r', 'read b -m'],
    ['aws s3 cp a s3://b/c', 'read a'],
    ['aws s3 cp s3://b/c a', 'write a'],
    ['aws lambda invoke --payload fileb://p x', 'read p'],
    ['gsutil cp a gs://b', 'read a -r'],
    ['rclone copy a r:b', 'read a -r'],
    ['docker cp a c:/b', 'read a -r'],
    ['docker cp c:/b a', 'write a -r'],
    ['docker run -v /:/host alpine', 'read / -r', 'write / -r'],
    ['docker run --mount type=bind,src=/etc,dst=/e,readonly alpine', 'read /etc -r'],
    ['docker run -v data:/x alpine'],
    ['gh gist create f', 'read f'],
    ['gh release create v1 --target main dist/x', 'read dist/x'],
    ['gh issue create -F notes.md', 'read notes.md'],
    ['glab api -X POST --input f projects/1/issues', 'read f'],
    ['glab api -F name=@f projects/1', 'read f'],
  ],

  'what runs a file': [
    ['./a.sh', 'execute a.sh'],
    ['bash a.sh /etc/x', 'execute a.sh', 'read /etc/x'],
    ['bash -c "rm /x"'],
    ['bash -euo pipefail a.sh', 'execute a.sh'],
    ['source ./env', 'execute env'],
    ['python3.12 a.py', 'execute a.py'],
    ['python -m http.server'],
    ['node -e "/x/" a'],
    ['node -r ./hook.js a.js', 'execute hook.js', 'execute a.js'],
    ['perl -pi -e s/a/b/ f', 'read f', 'write f'],
    ['perl a.pl', 'execute a.pl'],
    ['make -f m', 'execute m'],
    ['make -C d', 'read d -m', 'execute d/Makefile'],
    ['psql -f a.sql', 'execute a.sql'],
  ],

  'what git touches': [
    ['git add .', 'read . -r'],
    ['git add -n .'],
    ['git show HEAD:.env', 'read .env'],
    ['git cat-file blob HEAD:.ssh/id', 'read .ssh/id'],
    ['git log --oneline main'],
    ['git checkout -- a.ts', 'write a.ts -r'],
    ['git checkout main'],
    ['git restore a', 'write a -r'],
    ['git restore --staged a'],
    ['git -C /etc restore a', 'write /etc/a -r'],
    ['git mv a b', 'read a -r', 'delete a -r', 'write b'],
    ['git clone https://h.x/a/b.git', 'write b -r'],
    ['git apply p', 'read p', 'write . -r'],
    ['git diff --no-index a b', 'read a -r', 'read b -r'],
  ],

  'what writes to disks': [
    ['mkfs.ext4 -L x /dev/sda', 'write /dev/sda'],
    ['mkfs -t ext4 /dev/sda', 'write /dev/sda'],
    ['mkfs.ext4 --help /dev/sda'],
    ['fdisk /dev/sda', 'write /dev/sda'],
    ['fdisk -l /dev/sda', 'read /dev/sda -m'],
    ['parted /dev/sda mklabel gpt', 'write /dev/sda'],
    ['parted /dev/sda print', 'read /dev/sda -m'],
    ['wipefs -a /dev/sda', 'write /dev/sda'],
    ['wipefs /dev/sda', 'read /dev/sda -m'],
    ['pvremove /dev/sda', 'write /dev/sda'],
    ['pvremove --test /dev/sda'],
  ],

  'an unknown program may read what looks like a path': [
    ['frobnicate /etc/x ~/y .env src/a', 'read /etc/x', 'read ~/y', 'read .env', 'read src/a'],
    ['frobnicate word --option https://a.b/c 1.5 "a / b"'],
    ['frobnicate .5 ...'],
  ],
}

describe.each(Object.entries(table))('%s', (_, rows) => {
  it.each(rows.map(([command, ...paths]) => [command, paths] as const))('%s', (command, paths) => {
    expect(touches(command)).toEqual(paths)
  })
})

describe('a command touches besides its arguments', () => {
  it('files named on stdin', () => {
    const stdin = { value: 'a\nb/c\n' }
    expect(touches('zip x -@', { stdin })).toEqual(['write x', 'read a -r', 'read b/c -r'])
    expect(touches('tar cf x -T -', { stdin })).toEqual(['read a -r', 'read b/c -r', 'write x'])
    expect(touches('zip x a', { stdin })).toEqual(['write x', 'read a'])
  })

  it('files of its redirections', () => {
    const redirections = [
      { operator: '<', descriptor: 0, target: { value: 'in' } },
      { operator: '>', descriptor: 1, target: { value: '/etc/out' } },
      { operator: '>>', descriptor: 2, target: { value: '/dev/null' } },
      { operator: '<<<', descriptor: 0, target: { value: '/etc/shadow' } },
    ] as const
    expect(touches('frobnicate', { redirections })).toEqual(['read in', 'write /etc/out'])
  })

  it('nothing in the workspace if it runs on another machine', () => {
    const elsewhere = touches('cat /home/u/proj/a', { elsewhere: true })
    expect(elsewhere).toEqual(['read a'])
  })

  it('nothing itself if it only starts another command', () => {
    expect(touches('frobnicate rm /x', { wrapper: true })).toEqual([])
    expect(touches('sudo rm /x')).toEqual([])
  })
})
