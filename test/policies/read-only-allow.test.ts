import { describe, expect, it } from 'vitest'
import { isAllowed } from '../support/read-only.ts'

/** Commands in pairs: one that only reads, and the same program doing more. */
const pairs: Readonly<Record<string, readonly (readonly [harmless: string, other: string])[]>> = {
  'text and files': [
    ['sort -k2,2 -u names.txt', 'sort -u names.txt -o names.txt'],
    ['uniq -c names.txt', 'uniq names.txt counted.txt'],
    ['head -20 notes.md | wc -l', 'head -20 notes.md | tee short.md'],
    ['date -u +%Y-%m-%d', 'date -s tomorrow'],
    ['xxd -l 64 image.png', 'xxd -r dump.hex'],
    ['tree -L 2 src', 'tree -o tree.txt src'],
    ['yq .name package.yaml', 'yq -i .name package.yaml'],
    ['base64 -d token.b64', 'base64 -d -o plain.txt token.b64'],
    ['printenv LANG', 'printenv GITHUB_TOKEN'],
    ['cat .env.example', 'cat .env'],
    ['while IFS= read -r line; do echo "$line"; done < a.txt', 'while read -r PATH; do ls; done < a.txt'],
    ['mapfile -t lines < a.txt', 'mapfile -C ./each lines < a.txt'],
    ['ls | tee /dev/null', 'ls | tee list.txt'],
    ['shuf -n 5 a.txt', 'shuf -n 5 a.txt -o b.txt'],
    ['yq -o=json . a.yaml', 'yq -io=json . a.yaml'],
    ['wc -l < "src/$f"', 'wc -l < "$f"'],
    ['cat ~/.ssh/id_ed25519.pub', 'cat ~/.ssh/*.pub'],
    ['grep -rn foo /usr/include/*.h', 'grep -rn foo /usr/local'],
    ['d=/usr/lib; ls "$d"', 'n=$(ls /etc); cat $n'],
    ['xmllint --xpath //a a.xml', 'xmllint --output b.xml a.xml'],
    ['exiftool -json a.png', 'exiftool -Artist=me a.png'],
  ],
  searches: [
    ["find src -name '*.ts' -newer package.json", 'find src -newer package.json -delete'],
    ["find . -name '*.md' -exec wc -l {} +", "find . -name '*.md' -exec rm {} +"],
    ['fd -e ts -x wc -l', 'fd -e ts -x rm'],
    ['rg -n --hidden TODO src', 'rg --pre ./unpack TODO src'],
    ['grep -rn "git push" docs', 'grep -rn "git push" docs > found.txt'],
    ['ls | xargs wc -l', 'ls | xargs rm'],
  ],
  'awk and sed': [
    ["awk -F, '$2 > 10 {print $1}' a.csv", "awk -F, '{print $1 > $2}' a.csv"],
    ["awk '/a|b/' a.txt", `awk '{print | "sh"}' a.txt`],
    ["sed -n '/start/,/end/p' a.txt", "sed -n '/start/w b.txt' a.txt"],
    ["sed 's/w/e/g' a.txt", "sed -i 's/w/e/g' a.txt"],
  ],
  git: [
    ['git log --oneline -5', 'git log --output=log.txt'],
    ['git -C sub status -s', 'git -C sub stash'],
    ['git branch -vv', 'git branch -v topic'],
    ['git tag -l "v1*"', 'git tag v1'],
    ['git remote get-url origin', 'git remote set-url origin x'],
    ['git config user.name', 'git config user.name Me'],
    ['git fetch --prune origin', 'git fetch origin +main:main'],
    ['git stash list', 'git stash pop'],
    ['git -c color.ui=never diff', 'git -c diff.external=./x diff'],
    ['git apply --check a.patch', 'git apply a.patch'],
    ['git reflog show main', 'git reflog delete main@{1}'],
    ['git worktree list', 'git worktree prune'],
    ['git submodule', 'git submodule update'],
    ['git diff $(git merge-base main HEAD)..HEAD', 'git diff $(git rev-parse --output=a)'],
    ['git log "$(git rev-parse HEAD~3)"', 'git log "$(cat a)"'],
    ['git show $(git rev-parse HEAD)', 'ls | xargs git show $(git rev-parse HEAD)'],
    ['git diff $(git merge-base a b)', 'git diff $(git merge-base a b) $c'],
  ],
  'GitHub and Auth0': [
    ['gh pr view 12 --json title', 'gh pr edit 12 --title x'],
    ['gh -R a/b run list', 'gh -R a/b run rerun 1'],
    ['gh api repos/a/b/pulls', 'gh api repos/a/b/pulls -f title=x'],
    ["gh api graphql -f query='{ viewer { login } }'", "gh api graphql -f query='mutation { a }'"],
    ['auth0 apps show 1', 'auth0 apps update 1'],
    ['auth0 logs streams list', 'auth0 logs streams create'],
    ['auth0 api get clients', 'auth0 api patch clients/1'],
  ],
  'other tools': [
    ['an-unknown-tool --version', './an-unknown-tool --version'],
    ['another --help', 'another --help me'],
    ['deno lint', 'deno lint --fix'],
    ['bun pm cache', 'bun pm cache rm'],
    ['go build -n ./...', 'go build -n=false ./...'],
    ['go tool cover -func=c.out', 'go tool cover -html=c.out -o c.html'],
    ['golangci-lint run', 'golangci-lint run --fix'],
    ['goimports -l .', 'goimports -w .'],
    ['php -l a.php', 'php -l a.php -d extension=./a.so'],
    ['ruby -v', 'ruby -v -e 1'],
    ['redis-cli -n 1 hgetall a', 'redis-cli -n 1 del a'],
    ['redis-cli get a', 'redis-cli -x get a'],
    ['mysqladmin status', 'mysqladmin shutdown'],
    ['redis-cli --scan --pattern "a:*"', 'redis-cli --scan --pattern "a:*" del a'],
    ['clang-format src/a.c', 'clang-format -i src/a.c'],
    ['prettier src/a.ts', 'prettier -w src/a.ts'],
    ['oxlint src', 'oxlint --fix src'],
    ['pylint src', 'pylint --init-hook="import a" src'],
    ['just --list', 'just build'],
    ['zig fmt --check src', 'zig fmt src'],
    ['flutter doctor -v', 'flutter doctor --android-licenses'],
    ['ruby -c a.rb', 'ruby -c -r ./a a.rb'],
    ['cmake -LA -N build', 'cmake -LA build'],
    ['ast-grep run -p a src', 'ast-grep run -p a -r b -U src'],
  ],
  'other histories': [
    ['svn diff -r 4', 'svn diff --diff-cmd ./x'],
    ['hg log -l 5', "hg log --config alias.log='!rm a'"],
    ['hg branch', 'hg branch topic'],
    ['jj log', 'jj --config ui.pager=x log'],
    ['jj diff --stat', 'jj diff --tool x'],
    ['glab mr view 1', 'glab mr merge 1'],
  ],
  clouds: [
    ['aws --profile p ec2 describe-vpcs', 'aws --profile p ec2 delete-vpc --vpc-id v'],
    ['aws ssm get-parameter --name /a', 'aws ssm get-parameter --name /a --with-decryption'],
    ['aws secretsmanager list-secrets', 'aws secretsmanager get-secret-value --secret-id a'],
    ['az network vnet subnet list -g g', 'az network vnet subnet create -g g'],
    ['gcloud beta run services describe s', 'gcloud beta run services delete s'],
    ['gcloud compute project-info describe', 'gcloud compute project-info add-metadata'],
  ],
  containers: [
    ['docker --context c ps -a', 'docker --context c rm a'],
    ['docker compose -f a.yml logs web', 'docker compose -f a.yml restart web'],
    ['docker exec web ls /', 'docker exec web rm /a'],
    ['kubectl -n kube-system get pods -o wide', 'kubectl -n kube-system delete pods a'],
    ['kubectl get secrets', 'kubectl get secrets -o yaml'],
    ['velero backup get -n backups', 'velero backup delete a'],
    ['argocd app get -o yaml a', 'argocd app sync a'],
    ['kubectl rollout status deploy/a', 'kubectl rollout restart deploy/a'],
    ['helm template a ./chart', 'helm template a ./chart --output-dir out'],
    ['helm upgrade a ./chart --dry-run', 'helm upgrade a ./chart'],
    ['kubectl kustomize overlays/dev', 'kubectl kustomize --enable-helm overlays/dev'],
    ['kubectl plugin list', 'kubectl krew install a'],
    ['velero backup describe a', 'velero backup delete a'],
    ['docker compose exec -T db ls /', 'docker compose exec -T db rm /a'],
    ['docker compose -f a.yml exec web cat b', 'docker compose -f a.yml run web cat b'],
    ['kubectl -n prod exec web -- ls', 'kubectl -n prod exec web -- touch a'],
    ['kubectl apply -f a.yml --dry-run=client', 'kubectl apply -f a.yml --dry-run=none'],
    ['kubectl run a --image=b --dry-run=client', 'kubectl run a --image=b -- --dry-run=client'],
    ['kubectl create deployment a --dry-run=server', 'kubectl create secret generic a --dry-run=server -o yaml'],
    ['kops get clusters', 'kops get secrets'],
  ],
  infrastructure: [
    ['terraform -chdir=infra plan', 'terraform -chdir=infra apply'],
    ['terraform workspace select a', 'terraform workspace select -or-create a'],
    ['terraform state list', 'terraform state rm a.b'],
    ['cdk diff', 'cdk deploy'],
    ['vault kv list secret/', 'vault list -address=http://example.com secret/'],
    ['nomad job plan a.nomad', 'nomad job run a.nomad'],
    ['bq query --dry_run "select 1"', 'bq query --dry_run=false "select 1"'],
    ['gsutil stat gs://a/b', 'gsutil rm gs://a/b'],
    ['packer validate a.pkr.hcl', 'packer build a.pkr.hcl'],
    ['ansible-playbook a.yml --syntax-check', 'ansible-playbook a.yml'],
    ['ansible-inventory --graph', 'ansible-inventory --list --output a.json'],
  ],
  packages: [
    ['npm view left-pad versions', 'npm install left-pad'],
    ['npm run', 'npm run build'],
    ['uv version', 'uv version 2.0.0'],
    ['yarn licenses', 'yarn licenses generate-disclaimer'],
    ['yarn why left-pad', 'yarn add left-pad'],
    ['pip list --outdated', 'pip install --upgrade pip'],
    ['uv pip tree', 'uv pip sync requirements.txt'],
    ['uv run git status', 'uv run ./script.py'],
    ['cargo tree -i serde', 'cargo install serde'],
    ['brew deps --tree git', 'brew upgrade git'],
    ['brew --prefix git', 'brew link git'],
    ['go list ./...', 'go generate ./...'],
    ['brew install --help', 'brew install'],
    ['brew services list', 'brew services start a'],
    ['cargo +nightly check', 'cargo +nightly install a'],
    ['cargo audit', 'cargo audit fix'],
    ['mvn -q dependency:tree', 'mvn -q dependency:tree install'],
    ['dotnet sln list', 'dotnet sln add a'],
    ['mix format --check-formatted', 'mix format'],
    ['python3 -m pip list', 'python3 -m pip install a'],
    ['python -m json.tool a.json', 'python -m json.tool a.json b.json'],
    ['python3 -m flake8 src', 'python3 -m flake8 --output-file=a src'],
    ['python -m zipfile -l a.zip', 'python -m zipfile -e a.zip b'],
    ['python -m mypy src', 'python -m tests'],
    ['poetry run mypy src', 'poetry run python a.py'],
    ['bundle exec ruby -v', 'bundle exec rake'],
    ['pnpm exec tsc --noEmit', 'pnpm exec tsc'],
    ['npx --no-install prettier --check .', 'npx prettier --check .'],
    ['uv tool list', 'uv tool install a'],
  ],
  network: [
    ['curl -sSL https://example.com', 'curl -sSLO https://example.com'],
    ['curl -s https://example.com/a?b=1', 'curl -s https://example.com/a?b=$(date)'],
    ['curl -I https://example.com', 'curl -X DELETE https://example.com'],
    ['curl -o /dev/null https://example.com', 'curl -o page.html https://example.com'],
    ['wget --spider https://example.com', 'wget https://example.com'],
    ['wget -qO- https://example.com', 'wget -qO page.html https://example.com'],
    ['wget -q -O - https://example.com', 'wget -q -O - --post-data=a https://example.com'],
    ['wget -nv -O- https://example.com', 'wget -nvO- -o log https://example.com'],
    ['curl -sG -d a=b https://example.com', 'curl -sG -d @a https://example.com'],
    [
      'curl -G --data-urlencode "q=a b" https://example.com',
      'curl -G -d a https://example.com --next -d b https://a.b',
    ],
    ['nc -zv localhost 5432', 'nc -zv -e ./x localhost 5432'],
    ['nc -z -w 2 localhost 80', 'nc localhost 80'],
    ['dig +short example.com', 'dig +short "$(cat a).example.com"'],
    ['ip -4 addr show dev eth0', 'ip addr add 10.0.0.1/8 dev eth0'],
    ['ip route get 1.1.1.1', 'ip route flush cache'],
    ['ifconfig en0', 'ifconfig en0 down'],
  ],
  archives: [
    ['tar tzf a.tgz', 'tar xzf a.tgz'],
    ['tar -tf a.tar --wildcards "*.md"', 'tar -tf a.tar --to-command=./x'],
    ['tar -xOf a.tgz package.json', 'tar -xOf a.tgz --to-command=./x'],
    ['tar -xzOf a.tgz package.json', 'tar -xzf a.tgz package.json'],
    ['unzip -l a.zip', 'unzip a.zip'],
    ['7z l a.7z', '7z x a.7z'],
    ['gzip -l a.gz', 'gzip a'],
  ],
  databases: [
    ["psql -d app -c 'SELECT count(*) FROM users'", "psql -d app -c 'DELETE FROM users'"],
    ["mysql -e 'SHOW TABLES'", "mysql -e 'SHOW TABLES; DROP TABLE a'"],
    ["sqlite3 a.db 'SELECT * FROM t'", "sqlite3 a.db '.import a.csv t'"],
    ["sqlite3 -readonly a.db 'SELECT 1'", "sqlite3 a.db 'VACUUM'"],
    [`duckdb a.db "SELECT 'drop table t'"`, "duckdb a.db 'DROP TABLE t'"],
    ["psql -c '\\d+ users'", "psql -c '\\d `rm a`'"],
    [`psql "$DATABASE_URL" -c 'SELECT 1'`, `psql "$OTHER" -c 'SELECT 1'`],
    ["psql -c '\\dt'", "psql -c '\\dt \\! rm a'"],
    ["sqlite3 a.db 'PRAGMA table_info(t)'", "sqlite3 a.db 'PRAGMA user_version = 5'"],
    ["sqlite3 a.db '.mode box' 'SELECT 1'", "sqlite3 a.db '.mode box\n.shell rm a'"],
    [`psql -c 'SELECT "it''s" FROM t'`, `psql -c "SELECT \\"it's\\"; DROP TABLE t; --'"`],
  ],
  systems: [
    ['journalctl -u nginx --since today', 'journalctl --vacuum-size=1M'],
    ['systemctl status nginx', 'systemctl restart nginx'],
    ['sysctl kernel.ostype', 'sysctl kernel.ostype=x'],
    ['dmesg -T', 'dmesg -C'],
    ['dpkg -l', 'dpkg --purge a'],
    ['tmux list-windows', `tmux list-windows -F '#(touch a)'`],
    ['crontab -l', 'crontab -r'],
  ],
  macOS: [
    ['defaults read com.apple.dock', 'defaults write com.apple.dock a 1'],
    ['diskutil list', 'diskutil eraseDisk a b c'],
    ['plutil -p a.plist', 'plutil -remove a a.plist'],
    ['security find-certificate -a', 'security delete-certificate -c a'],
    ['networksetup -getdnsservers Wi-Fi', 'networksetup -setdnsservers Wi-Fi 1.1.1.1'],
    ['xattr -l a', 'xattr -c a'],
    ['sips -g all a.png', 'sips -Z 64 a.png'],
  ],
  wrappers: [
    ['time -p git status', 'time -o t.txt git status'],
    ['timeout 5 ls', 'timeout 5 touch a'],
    ['env LANG=C sort a', 'env LD_PRELOAD=./a.so sort a'],
    [`bash -c 'ls | head'`, `bash -c 'ls > a'`],
    ['xargs -0 -n1 basename', 'xargs -0 -n1 touch'],
    ['command -v node', 'command rm a'],
  ],
  'the shell': [
    ['cd src && ls', 'cd src && make'],
    ['for f in a b; do cat "$f"; done', 'for f in a b; do rm "$f"; done'],
    ['ls 2>&1 >/dev/null', 'ls 2>errors.txt'],
    ['echo "rm -rf / > a"', 'rm -rf a'],
    ['echo $(date)', 'echo $(touch a)'],
    ['show() { cat "$1"; }; show a', 'cat() { rm "$1"; }; cat a'],
    ['NOTE=x ls', 'PATH=x ls'],
    ['export NOTE=x', 'export PATH=x'],
    ['show() { local file="$1"; cat "$file"; }; show a', 'show() { local PATH=.; ls; }; show'],
    ['declare -A seen; ls', "declare -i n='a[$(rm b)]'"],
    ['export CI=1; git status', 'export -p'],
    ['unset NOTE', 'unset PATH'],
    ['GIT_PAGER=cat git log', 'GIT_PAGER=./cat git log'],
    ['export GIT_PAGER=cat; git log', 'export GIT_PAGER=./cat; git log'],
    ['AWS_PAGER="" aws s3 ls', 'AWS_PAGER="$X" aws s3 ls'],
    ['GIT_TRACE=1 git status', 'GIT_TRACE=/home/u/proj/a git status'],
    ['GOOS=linux go vet ./...', 'GOFLAGS=-toolexec=./x go vet ./...'],
    ['TF_LOG=DEBUG terraform plan', 'TF_LOG_PATH=a terraform plan'],
    ['LESS=-R git log', "LESS='-oa' git log"],
    ['echo "$SHELL"', 'cat "$SHELL"'],
    ["cat <<'END'\nrm -rf /\nEND", "bash <<'END'\nrm -rf /\nEND"],
    ['# nothing\n', '# nothing\nmake'],
  ],
}

describe.each(Object.entries(pairs))('read-only-allow on %s', (_, commands) => {
  it.each(commands)('allows `%s`, and not `%s`', (harmless, other) => {
    expect([isAllowed(harmless), isAllowed(other)]).toEqual([true, false])
  })
})

describe('the user’s own list of commands', () => {
  it('allows commands with a listed prefix, if every word is known', () => {
    const also = ['npm test', 'make lint']
    expect(isAllowed('npm test', { also })).toBe(true)
    expect(isAllowed('npm test -- --watch=false', { also })).toBe(true)
    expect(isAllowed('make lint && git status', { also })).toBe(true)
    expect(isAllowed('npm test $FLAGS', { also })).toBe(false)
    expect(isAllowed('npm testing', { also })).toBe(false)
    expect(isAllowed('make', { also })).toBe(false)
  })

  it('does not cover what else such a command does', () => {
    const also = ['npm test']
    expect(isAllowed('npm test > log.txt', { also })).toBe(false)
    expect(isAllowed('npm test && rm -rf a', { also })).toBe(false)
    expect(isAllowed('NODE_OPTIONS=--require=./x npm test', { also })).toBe(false)
    expect(isAllowed('./npm test', { also })).toBe(false)
    expect(isAllowed('./check.sh src', { also: ['./check.sh'] })).toBe(true)
    expect(isAllowed('check.sh src', { also: ['./check.sh'] })).toBe(false)
  })

  it('does not allow excluded commands', () => {
    const not = ['curl', 'git fetch']
    expect(isAllowed('curl https://example.com', { not })).toBe(false)
    expect(isAllowed('git -C sub fetch', { not: ['git fetch', 'git sub fetch'] })).toBe(false)
    expect(isAllowed('git fetch', { not })).toBe(false)
    expect(isAllowed('git log', { not })).toBe(true)
  })
})

describe('reading from outside of the workspace', () => {
  it('is allowed if the agent gets the output, and not if it becomes part of another command', () => {
    expect(isAllowed('cat /etc/hostname')).toBe(true)
    expect(isAllowed('name=$(cat /etc/hostname); echo "$name"')).toBe(false)
    expect(isAllowed('page=$(curl -s https://example.com); echo "$page"')).toBe(false)
    expect(isAllowed('name=$(cat name.txt); echo "$name"')).toBe(true)
  })
})
