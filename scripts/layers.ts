/** What src may import from elsewhere: what is embedded, data and macros. The code that a server runs is in src. */
export const embedded = [
  'db/migrations',
  'db/facts',
  'db/relations',
  'db/common-passwords',
  'dist',
  'package.json',
]

/** What the build of the default catalogue (`db/catalogue`) uses of src. It uses nothing else, not even by way of these. */
export const catalogueRules = [
  'src/catalogue/default',
  'src/catalogue/hiragana',
  'src/catalogue/season',
  'src/catalogue/title-key',
]

const basics = [
  'messages',
  'lib',
  'values',
  'types',
  'version',
  'log',
  'options',
  'config',
  'deps',
  'mail',
  'metrics',
]
const http = [...basics, 'db', 'http', 'api', 'paging', 'cache']
const features = ['accounts', 'catalogue', 'library', 'social']

/**
 * Where the database's handle may be used directly. What writes on it while a server runs does so in pieces
 * (`src/db/in-pieces.ts`): nothing else tells the caches.
 */
export const mayUseHandle: readonly string[] = [
  'src/accounts/name-drift.ts',
  'src/accounts/name-index.ts',
  'src/backup/',
  'src/catalogue/',
  'src/cli/',
  'src/db/',
  'src/demo/',
  'src/sources/',
]

/**
 * What may read everything that people wrote (`readBare`, `warmRead`, `readBeside`, or `main.` in SQL), past the guard of
 * `src/db/guard/views.ts`: what serves nobody in particular, what only reads its caller's own rows, and lists and figures
 * that ask for shared rows themselves.
 */
export const mayReadBare: readonly string[] = [
  // Renderings are of rows that were found by a guarded read.
  'src/api/endpoint.ts',
  // Tokens, and what its caller wrote just now.
  'src/api/bearer.ts',
  'src/api/read-item.ts',
  'src/library/acts/',
  'src/transfer/batch/',
  // Addresses by their secret, and deliveries of their own.
  'src/scrobble/',
  // Whose record of a date waits, and which date begins.
  'src/social/meetings/watched.ts',
  // What people are told of their own works.
  'src/delivery/',
  'src/cli/',
  'src/db/',
  'src/demo/',
  'src/catalogue/',
  // Ids of pages and totals, whose rows are then read guarded.
  'src/paging/',
  'src/library/activities.ts',
  'src/library/ranked.ts',
  'src/accounts/users.ts',
  'src/graphql/types/episode.ts',
  'src/graphql/types/work.ts',
]

/** What reads past the guard. A view of the database reads its tables, not those of the connection. */
export const readsBare =
  /\b(?:readBare|warmRead|readBeside)\b|\bmain\.(?:\$|records|reviews|statuses|activities|follows|favorites|lists|list_works|shares|users)|\bunneeded_episodes\b/

/** Guarded tables are views here, which have no index to be named: `seenBy` of src/db/guard/audience.ts does. */
export const namesIndex =
  /\b(?:records|reviews|statuses|activities|follows|favorites|lists|list_works|shares)(?: as \w+)? indexed by\b/

/** A write without statements of its own, such as one on the handle. */
export const emptyHanded = /\bwrite\((?:async )?\(\) =>(?! \{\}\))/

/** What each folder of src may import besides itself: only lower layers. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  messages: [],
  lib: ['messages'],
  values: ['messages', 'lib'],
  types: [],
  version: [],
  log: ['lib'],
  metrics: ['db', 'log'],
  options: ['messages', 'lib', 'values', 'log'],
  config: ['messages', 'lib', 'values', 'log', 'options'],
  mail: ['messages', 'lib', 'config', 'log'],
  db: ['lib', 'version'],
  backup: ['lib', 'values', 'version', 'db', 'options', 'config', 'fetching'],
  deps: ['config', 'db', 'fetching', 'log', 'mail', 'metrics'],
  http: [...basics, 'db'],
  cache: ['lib', 'db'],
  paging: ['lib', 'db'],
  api: http,
  accounts: [...http, 'fetching'],
  catalogue: http,
  docs: [...http, 'pages', 'web'],
  pages: http,
  web: [...http, 'accounts', 'pages'],
  fetching: ['lib'],
  covers: [...http, 'accounts', 'catalogue', 'fetching', 'library', 'pages', 'web'],
  oauth: [...http, 'accounts', 'pages', 'web'],
  sources: [...http, 'catalogue', 'fetching', 'library'],
  site: [
    ...http,
    ...features,
    'backup',
    'covers',
    'delivery',
    'fetching',
    'pages',
    'web',
    'oauth',
    'scrobble',
    'sources',
    'transfer',
  ],
  viewing: [...http, ...features, 'covers', 'pages', 'scrobble', 'transfer', 'web'],
  library: [...http, 'accounts', 'catalogue'],
  social: [...http, 'accounts', 'catalogue', 'library'],
  graphql: [...http, ...features],
  demo: [...http, ...features],
  transfer: [...http, ...features, 'fetching'],
  scrobble: [...http, ...features, 'transfer'],
  delivery: [...http, ...features, 'fetching', 'pages', 'viewing'],
  app: [
    ...http,
    ...features,
    'covers',
    'delivery',
    'docs',
    'graphql',
    'pages',
    'web',
    'oauth',
    'scrobble',
    'site',
    'transfer',
    'viewing',
  ],
  cli: [
    ...http,
    'accounts',
    'backup',
    'catalogue',
    'covers',
    'delivery',
    'fetching',
    'social',
    'sources',
    'oauth',
    'demo',
    'scrobble',
    'transfer',
    'app',
  ],
  main: [...http, 'cli'],
}
