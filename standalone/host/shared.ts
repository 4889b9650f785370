/**
 * The modules that Grafana shares with plugins, by import name. This file is the complete list: to run the
 * same host on another Grafana's libraries, build it against another node_modules (see ../build.ts), not another list.
 */
import * as emotionCss from '@emotion/css';
import * as emotionReact from '@emotion/react';
import * as grafanaData from '@grafana/data';
import * as grafanaDataUnstable from '@grafana/data/unstable';
import * as grafanaRuntime from '@grafana/runtime';
import * as grafanaRuntimeUnstable from '@grafana/runtime/unstable';
import * as grafanaUi from '@grafana/ui';
import * as grafanaUiUnstable from '@grafana/ui/unstable';
import * as i18next from 'i18next';
import jquery from 'jquery';
import lodash from 'lodash';
import moment from 'moment';
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as reactDom from 'react-dom';
import * as reactInlineSvg from 'react-inlinesvg';
import * as reactRouterDom from 'react-router-dom';
import * as reactRouterCompat from 'react-router-dom-v5-compat';
import * as rxjs from 'rxjs';
import * as rxjsOperators from 'rxjs/operators';

// Plugins call these modules, so they get the function and not a namespace object.
const callable = (value: unknown) => ({ default: value, __useDefault: true });

export const sharedModules: Record<string, object> = {
  '@emotion/css': emotionCss,
  '@emotion/react': emotionReact,
  '@grafana/data': grafanaData,
  '@grafana/data/unstable': grafanaDataUnstable,
  '@grafana/runtime': grafanaRuntime,
  '@grafana/runtime/unstable': grafanaRuntimeUnstable,
  '@grafana/ui': grafanaUi,
  '@grafana/ui/unstable': grafanaUiUnstable,
  i18next,
  jquery: callable(jquery),
  lodash: callable(lodash),
  moment: callable(moment),
  react,
  'react/jsx-runtime': jsxRuntime,
  'react-dom': reactDom,
  'react-inlinesvg': reactInlineSvg,
  // Grafana gives plugins router 6 under the old name; `react-router-dom` is version 5 there.
  'react-router': reactRouterCompat,
  'react-router-dom': reactRouterDom,
  rxjs,
  'rxjs/operators': rxjsOperators,
};
