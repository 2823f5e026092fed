import type { WorkKind } from '../../support/work-kinds.ts'

const aws = ['AKIA', 'Q4TRW6XN3JPLD2VK'].join('')
const gh = ['ghp', '_Zk3vQ9xR1tB7mN5cW2yL8dF4hJ6pS0aGqXu1'].join('')

export const secretFiles: readonly WorkKind[] = [
  {
    kind: 'a message or description in a file that the same call makes, with a secret in it',
    stopped: [
      `cat > m <<'E'\nFix: use ${aws}\nE\ngit commit -F m`,
      `printf 'fix\\n\\n%s\\n' ${gh} > /tmp/m && git commit --file=/tmp/m`,
      `echo "token is ${gh}" > b.md && gh pr create --title a --body-file b.md`,
      `echo "token is ${gh}" | gh pr create --title a --body-file -`,
      `echo "token is ${gh}" | tee b.md > /dev/null; gh issue comment 4 -F b.md`,
      `cat <<E > n.md\nkey ${aws}\nE\ngh release create v1 --draft -F n.md`,
      `echo "${gh}" > d && glab mr create --title a --description "$(cat d)"`,
      `echo "${gh}" > d && git tag -a v1 -F d`,
      `echo "${gh}" > d && git notes add -F d`,
      `B=$(printf 'use %s' ${gh}); gh pr comment 4 --body "$B"`,
      `echo "${gh}" > d; cp d e; gh pr edit 4 --body-file e`,
      `python3 -c "open('m','w').write('use ${gh}')" && git commit -F m`,
      `echo '{"body":"${gh}"}' > p.json && gh api repos/a/b/issues/1/comments --input p.json`,
      `echo '{"body":"${gh}"}' > p.json && curl -X POST -d @p.json https://api.github.com/repos/a/b/issues/1/comments`,
      `echo "${gh}" | git commit -F -`,
      `git commit -F - <<'E'\nfix\n\n${aws}\nE`,
    ],
    free: [
      "cat > m <<'E'\nFix: read the key from the environment\nE\ngit commit -F m",
      "cat > m <<'E'\nFix: mask AKIAIOSFODNN7EXAMPLE\nE\ngit commit -F m",
      "echo 'set GITHUB_TOKEN=<your token>' > b.md && gh pr create --title a --body-file b.md",
      'git log -3 > n.md && gh release create v1 --draft -F n.md',
      "echo 'key: ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' | gh issue comment 4 -F -",
      'gh pr create --title a --body-file b.md',
      'git commit -F .git/COMMIT_EDITMSG',
      'B=$(cat CHANGES.md); gh pr comment 4 --body "$B"',
    ],
  },
]
