import { config, hasPermission } from '@grafana/runtime';
import { Box, LinkButton, LoadingPlaceholder, Modal, Stack, Text, TextLink } from '@grafana/ui';
import { CONTACT_POINT } from '@nodebell/contract/contactPoint.ts';
import { urlSegment } from '@nodebell/contract/url.ts';
import { useEffect, useState } from 'react';
import { hasContactPoint, rulesOfPanel, type GrafanaRule } from '../api/grafana';
import { t } from '../i18n/t';
import { linkProps } from '../components/links';
import { alertingQueries } from './alertingQueries';
import type { PanelContext } from './contexts';
import { InboxSearch } from './InboxSearch';
import { newRulePath } from './newRule';
import { useOrigin } from './useOrigin';

interface Props {
  panel: PanelContext;
  onDismiss: (() => void) | undefined;
}

/** The most rules in one request; a panel has one or two. */
const MOST_RULES = 20;

/** Opens the notification of a panel or of its rules, or offers to create a rule. */
export default function PanelThread({ panel, onDismiss }: Props) {
  const { dashboardUid, panelId } = panel;
  const [known, setKnown] = useState<{ rules: GrafanaRule[] | undefined }>();
  useEffect(() => {
    void rulesOfPanel(dashboardUid, panelId).then((rules) => setKnown({ rules }));
  }, [dashboardUid, panelId]);
  const filter = known && {
    panel: `${dashboardUid}/${panelId}`,
    ...(known.rules?.length && { ruleUid: known.rules.slice(0, MOST_RULES).map(({ uid }) => uid) }),
  };
  const { nothing, error } = useOrigin(filter, onDismiss);
  if (!nothing) {
    return <InboxSearch error={error} />;
  }
  return (
    <Stack direction="column" gap={1}>
      <Text element="p">
        {nothing.complete
          ? t('extensions.panel.none', 'No notifications for this panel.')
          : t('extensions.panel.none-recent', 'No notifications for this panel among the newest 20,000.')}
      </Text>
      <Rules rules={known?.rules} />
      <NewRule panel={panel} another={Boolean(known?.rules?.length)} />
    </Stack>
  );
}

/** Existing rules that have not sent anything. Another rule would send duplicates. */
function Rules({ rules }: { rules: GrafanaRule[] | undefined }) {
  if (!rules?.length) {
    return null;
  }
  return (
    <>
      <Text element="p">
        {t('extensions.panel.rules', 'Alert rules of this panel that have not sent any notifications yet:')}
      </Text>
      <Box element="ul" paddingLeft={3}>
        {rules.map(({ uid, title }) => (
          <li key={uid}>
            <TextLink href={`/alerting/grafana/${urlSegment(uid)}/view`}>{title}</TextLink>
          </li>
        ))}
      </Box>
    </>
  );
}

/** Editors may in every Grafana; others where they were granted it. */
const mayWriteRules = (): boolean =>
  ['Editor', 'Admin'].includes(config.bootData.user.orgRole) || hasPermission('alert.rules:create');

/** @param another there are rules already, so that another one is not the first thing to do */
function NewRule({ panel, another }: { panel: PanelContext; another: boolean }) {
  const [path, setPath] = useState<{ to: string; filled: boolean; sends: boolean }>();
  const may = mayWriteRules();
  useEffect(() => {
    if (may) {
      void Promise.all([alertingQueries(panel), hasContactPoint(CONTACT_POINT)]).then(([queries, there]) =>
        setPath({
          to: newRulePath(panel, queries, there ? CONTACT_POINT : undefined),
          filled: queries.length > 0,
          sends: there,
        })
      );
    }
  }, [panel, may]);
  if (!may) {
    return (
      <Text element="p" color="secondary">
        {t(
          'extensions.panel.may-not',
          'You do not have permission to create alert rules. An editor can create one for this panel.'
        )}
      </Text>
    );
  }
  if (!path) {
    return <LoadingPlaceholder text="" />;
  }
  return (
    <>
      <Text element="p" color="secondary">
        {path.filled
          ? t('extensions.panel.filled', 'The new rule is prefilled with the queries of this panel.')
          : t(
              'extensions.panel.empty',
              'Grafana Alerting cannot evaluate the queries of this panel, so the new rule starts without a query.'
            )}{' '}
        {path.sends
          ? t('extensions.panel.sends', 'It uses the contact point “{{name}}”.', { name: CONTACT_POINT })
          : t(
              'extensions.panel.sends-not',
              'The contact point “{{name}}” does not exist or is not available to you. The Nodebell configuration page has one to copy.',
              { name: CONTACT_POINT }
            )}
      </Text>
      <Modal.ButtonRow>
        <LinkButton icon="plus" variant={another ? 'secondary' : 'primary'} {...linkProps(path.to)}>
          {t('extensions.panel.new-rule', 'New alert rule')}
        </LinkButton>
      </Modal.ButtonRow>
    </>
  );
}
