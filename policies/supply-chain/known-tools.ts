/** Tools that projects have among their own packages, so that `npx` and the like fetch nothing. */
export const knownTools: readonly string[] = `
  tsc tsx ts-node eslint prettier jest vitest mocha c8 nyc playwright cypress ava tap
  vite webpack rollup esbuild parcel swc next nuxt astro ng nx turbo lerna changeset gulp grunt
  prisma drizzle-kit knex typeorm sequelize tailwindcss postcss sass stylelint oxlint oxfmt biome @biomejs/biome
  husky lint-staged commitlint knip madge depcheck tsup tsd typedoc storybook cdk wrangler expo react-native
  serverless sls firebase openapi-typescript openapi-generator-cli graphql-codegen electron-builder cap ionic
  svelte-check vue-tsc markdownlint cspell rimraf concurrently nodemon pm2 serve http-server
  ruff black mypy pytest pyright isort flake8 pylint tox nox pre-commit
`
  .trim()
  .split(/\s+/)
