import { Navigate, Route, Routes } from 'react-router-dom';
import type { AppRootProps } from "@grafana/data";
import { PluginPage } from '@grafana/runtime';
import { routes } from './routes';

const Inbox = () => <PluginPage>No notifications yet.</PluginPage>;

export default function App(_props: AppRootProps) {
  return (
    <Routes>
      <Route path={routes.inbox} element={<Inbox />} />
      <Route path="*" element={<Navigate to={routes.inbox} replace />} />
    </Routes>
  );
}
