import imports from '../../db/migrations/0001_imports.sql' with { type: 'text' }
import works from '../../db/migrations/0002_works.sql' with { type: 'text' }
import people from '../../db/migrations/0003_people.sql' with { type: 'text' }
import search from '../../db/migrations/0004_search.sql' with { type: 'text' }
import users from '../../db/migrations/0005_users.sql' with { type: 'text' }
import oauth from '../../db/migrations/0006_oauth.sql' with { type: 'text' }
import library from '../../db/migrations/0007_library.sql' with { type: 'text' }
import social from '../../db/migrations/0008_social.sql' with { type: 'text' }
import rowCounts from '../../db/migrations/0009_row_counts.sql' with { type: 'text' }
import triggers from '../../db/migrations/0010_triggers.sql' with { type: 'text' }
import searchKeys from '../../db/migrations/0011_search_keys.sql' with { type: 'text' }
import acts from '../../db/migrations/0012_acts.sql' with { type: 'text' }
import preferences from '../../db/migrations/0013_preferences.sql' with { type: 'text' }
import images from '../../db/migrations/0014_images.sql' with { type: 'text' }
import recordsByWork from '../../db/migrations/0015_records_by_work.sql' with { type: 'text' }
import formerImages from '../../db/migrations/0016_former_images.sql' with { type: 'text' }
import listImports from '../../db/migrations/0017_list_imports.sql' with { type: 'text' }
import libraryEntries from '../../db/migrations/0018_library_entries.sql' with { type: 'text' }
import catalogueSources from '../../db/migrations/0019_catalogue_sources.sql' with { type: 'text' }
import userSearch from '../../db/migrations/0020_user_search.sql' with { type: 'text' }
import forms from '../../db/migrations/0021_forms.sql' with { type: 'text' }
import tables from '../../db/migrations/0022_tables.sql' with { type: 'text' }
import issuerSwitch from '../../db/migrations/0023_issuer_switch.sql' with { type: 'text' }
import formReceipts from '../../db/migrations/0024_form_receipts.sql' with { type: 'text' }
import fewerTriggers from '../../db/migrations/0025_triggers.sql' with { type: 'text' }
import lean from '../../db/migrations/0026_lean.sql' with { type: 'text' }
import changes from '../../db/migrations/0027_changes.sql' with { type: 'text' }
import written from '../../db/migrations/0028_written.sql' with { type: 'text' }
import privacy from '../../db/migrations/0029_privacy.sql' with { type: 'text' }
import audienceTriggers from '../../db/migrations/0030_triggers.sql' with { type: 'text' }
import ownSlots from '../../db/migrations/0031_own_slots.sql' with { type: 'text' }
import joining from '../../db/migrations/0032_joining.sql' with { type: 'text' }
import deletedFromEpisodes from '../../db/migrations/0033_deleted_from_episodes.sql' with { type: 'text' }
import reports from '../../db/migrations/0034_reports.sql' with { type: 'text' }
import feeds from '../../db/migrations/0035_feeds.sql' with { type: 'text' }
import moderations from '../../db/migrations/0036_moderations.sql' with { type: 'text' }
import hooks from '../../db/migrations/0037_hooks.sql' with { type: 'text' }
import comments from '../../db/migrations/0038_comments.sql' with { type: 'text' }
import commentTriggers from '../../db/migrations/0039_triggers.sql' with { type: 'text' }
import newEpisodes from '../../db/migrations/0040_new_episodes.sql' with { type: 'text' }
import mappings from '../../db/migrations/0041_mappings.sql' with { type: 'text' }
import blockEnds from '../../db/migrations/0042_block_ends.sql' with { type: 'text' }
import statusActivities from '../../db/migrations/0043_status_activities.sql' with { type: 'text' }
import statusTriggers from '../../db/migrations/0044_triggers.sql' with { type: 'text' }
import destinations from '../../db/migrations/0045_destinations.sql' with { type: 'text' }
import notices from '../../db/migrations/0046_notices.sql' with { type: 'text' }
import notificationChoices from '../../db/migrations/0047_notification_choices.sql' with { type: 'text' }
import suspensions from '../../db/migrations/0048_suspensions.sql' with { type: 'text' }
import suspensionTriggers from '../../db/migrations/0049_triggers.sql' with { type: 'text' }
import minutes from '../../db/migrations/0050_minutes.sql' with { type: 'text' }
import favoriteWorks from '../../db/migrations/0051_favorite_works.sql' with { type: 'text' }
import favoriteTriggers from '../../db/migrations/0052_triggers.sql' with { type: 'text' }
import scores from '../../db/migrations/0053_scores.sql' with { type: 'text' }
import digest from '../../db/migrations/0054_digest.sql' with { type: 'text' }
import signIn from '../../db/migrations/0055_sign_in.sql' with { type: 'text' }
import lists from '../../db/migrations/0056_lists.sql' with { type: 'text' }
import listTriggers from '../../db/migrations/0057_triggers.sql' with { type: 'text' }
import actsOfPeople from '../../db/migrations/0058_acts_of_people.sql' with { type: 'text' }
import newcomers from '../../db/migrations/0059_newcomers.sql' with { type: 'text' }
import push from '../../db/migrations/0060_push.sql' with { type: 'text' }
import meetings from '../../db/migrations/0061_meetings.sql' with { type: 'text' }
import meetingTriggers from '../../db/migrations/0062_triggers.sql' with { type: 'text' }
import shares from '../../db/migrations/0063_shares.sql' with { type: 'text' }
import shareTriggers from '../../db/migrations/0064_triggers.sql' with { type: 'text' }
import catalogueEdits from '../../db/migrations/0065_catalogue_edits.sql' with { type: 'text' }
import creditsOfWorks from '../../db/migrations/0066_credits_of_works.sql' with { type: 'text' }
import catalogueMerges from '../../db/migrations/0067_catalogue_merges.sql' with { type: 'text' }
import importedLists from '../../db/migrations/0068_imported_lists.sql' with { type: 'text' }
import passwordTimes from '../../db/migrations/0069_password_times.sql' with { type: 'text' }
import unreadTriggers from '../../db/migrations/0070_triggers.sql' with { type: 'text' }
import privateImports from '../../db/migrations/0071_private_imports.sql' with { type: 'text' }
import sharePictures from '../../db/migrations/0072_share_pictures.sql' with { type: 'text' }
import episodesByHand from '../../db/migrations/0073_episodes_by_hand.sql' with { type: 'text' }

/** Every migration by name, oldest first. A released one never changes; a test compares this with the folder. */
export const migrations: Readonly<Record<string, string>> = {
  '0001_imports': imports,
  '0002_works': works,
  '0003_people': people,
  '0004_search': search,
  '0005_users': users,
  '0006_oauth': oauth,
  '0007_library': library,
  '0008_social': social,
  '0009_row_counts': rowCounts,
  '0010_triggers': triggers,
  '0011_search_keys': searchKeys,
  '0012_acts': acts,
  '0013_preferences': preferences,
  '0014_images': images,
  '0015_records_by_work': recordsByWork,
  '0016_former_images': formerImages,
  '0017_list_imports': listImports,
  '0018_library_entries': libraryEntries,
  '0019_catalogue_sources': catalogueSources,
  '0020_user_search': userSearch,
  '0021_forms': forms,
  '0022_tables': tables,
  '0023_issuer_switch': issuerSwitch,
  '0024_form_receipts': formReceipts,
  '0025_triggers': fewerTriggers,
  '0026_lean': lean,
  '0027_changes': changes,
  '0028_written': written,
  '0029_privacy': privacy,
  '0030_triggers': audienceTriggers,
  '0031_own_slots': ownSlots,
  '0032_joining': joining,
  '0033_deleted_from_episodes': deletedFromEpisodes,
  '0034_reports': reports,
  '0035_feeds': feeds,
  '0036_moderations': moderations,
  '0037_hooks': hooks,
  '0038_comments': comments,
  '0039_triggers': commentTriggers,
  '0040_new_episodes': newEpisodes,
  '0041_mappings': mappings,
  '0042_block_ends': blockEnds,
  '0043_status_activities': statusActivities,
  '0044_triggers': statusTriggers,
  '0045_destinations': destinations,
  '0046_notices': notices,
  '0047_notification_choices': notificationChoices,
  '0048_suspensions': suspensions,
  '0049_triggers': suspensionTriggers,
  '0050_minutes': minutes,
  '0051_favorite_works': favoriteWorks,
  '0052_triggers': favoriteTriggers,
  '0053_scores': scores,
  '0054_digest': digest,
  '0055_sign_in': signIn,
  '0056_lists': lists,
  '0057_triggers': listTriggers,
  '0058_acts_of_people': actsOfPeople,
  '0059_newcomers': newcomers,
  '0060_push': push,
  '0061_meetings': meetings,
  '0062_triggers': meetingTriggers,
  '0063_shares': shares,
  '0064_triggers': shareTriggers,
  '0065_catalogue_edits': catalogueEdits,
  '0066_credits_of_works': creditsOfWorks,
  '0067_catalogue_merges': catalogueMerges,
  '0068_imported_lists': importedLists,
  '0069_password_times': passwordTimes,
  '0070_triggers': unreadTriggers,
  '0071_private_imports': privateImports,
  '0072_share_pictures': sharePictures,
  '0073_episodes_by_hand': episodesByHand,
}
