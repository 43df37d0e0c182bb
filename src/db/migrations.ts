import provenance from '../../db/migrations/0001_provenance.sql' with { type: 'text' }
import works from '../../db/migrations/0002_works.sql' with { type: 'text' }
import people from '../../db/migrations/0003_people.sql' with { type: 'text' }
import programs from '../../db/migrations/0004_programs.sql' with { type: 'text' }
import totals from '../../db/migrations/0005_totals.sql' with { type: 'text' }
import search from '../../db/migrations/0006_search.sql' with { type: 'text' }
import accounts from '../../db/migrations/0007_accounts.sql' with { type: 'text' }
import versions from '../../db/migrations/0008_versions.sql' with { type: 'text' }
import library from '../../db/migrations/0009_library.sql' with { type: 'text' }
import social from '../../db/migrations/0010_social.sql' with { type: 'text' }
import counters from '../../db/migrations/0011_counters.sql' with { type: 'text' }
import ranks from '../../db/migrations/0012_ranks.sql' with { type: 'text' }
import sessions from '../../db/migrations/0013_sessions.sql' with { type: 'text' }
import oauth from '../../db/migrations/0014_oauth.sql' with { type: 'text' }
import marks from '../../db/migrations/0015_marks.sql' with { type: 'text' }
import notListed from '../../db/migrations/0016_not_listed.sql' with { type: 'text' }
import imports from '../../db/migrations/0017_imports.sql' with { type: 'text' }
import anyLanguage from '../../db/migrations/0018_any_language.sql' with { type: 'text' }
import lists from '../../db/migrations/0019_lists.sql' with { type: 'text' }

/** Every migration by name, oldest first. A released one is never changed; a test holds this against the folder. */
export const migrations: Readonly<Record<string, string>> = {
  '0001_provenance': provenance,
  '0002_works': works,
  '0003_people': people,
  '0004_programs': programs,
  '0005_totals': totals,
  '0006_search': search,
  '0007_accounts': accounts,
  '0008_versions': versions,
  '0009_library': library,
  '0010_social': social,
  '0011_counters': counters,
  '0012_ranks': ranks,
  '0013_sessions': sessions,
  '0014_oauth': oauth,
  '0015_marks': marks,
  '0016_not_listed': notListed,
  '0017_imports': imports,
  '0018_any_language': anyLanguage,
  '0019_lists': lists,
}
